import Testing

@testable import StorePipeline

@Suite("How much of values is shown")
struct ValueDisplayTests {
  @Test("digests and nothing cannot be read; whole values may be longer than short ones")
  func forms() {
    #expect(ValueDisplay.allCases.filter(\.isReadable) == [.full, .short])
    #expect(ValueDisplay.full.longest > ValueDisplay.short.longest)
  }

  @Test(
    "what no one may read is in no report",
    arguments: [ValueDisplay.hash, .none])
  func hidden(display: ValueDisplay) throws {
    let report = try DifferenceSample.report(
      [DifferenceSample.text(1, "secret before", "secret after")], display: display)
    for form in DifferenceForm.allCases {
      #expect(try !DifferenceFormTests.text(form, report).contains("secret"))
    }
  }
}
