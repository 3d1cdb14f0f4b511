import Testing

@testable import pipeline

@Suite("Command")
struct CommandTests {
  @Test("a command that says no more takes nothing, and its results must be written")
  func defaults() {
    #expect(Wait.arguments.isEmpty && Wait.shared.isEmpty && Wait.discussion == "")
    #expect(!Wait.outlivesLostResults)
  }
}
