import Testing

@testable import pipeline

@Suite("Exit status")
struct ExitStatusTests {
  @Test("the numbers are those scripts rely on") func numbers() {
    #expect(Status.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 70, 130, 141, 143])
  }

  @Test("each has a meaning in a sentence", arguments: Status.allCases)
  func meaning(status: Status) {
    #expect(status.meaning.hasSuffix(".") && !status.meaning.contains("\n"))
  }
}
