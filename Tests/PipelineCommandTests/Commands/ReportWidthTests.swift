import Testing

@testable import pipeline

@Suite("Width of reports")
struct ReportWidthTests {
  @Test(
    "a report has between 40 and 100 columns",
    arguments: [(10, 40), (40, 40), (72, 72), (100, 100), (300, 100)])
  func width(columns: Int, width: Int) {
    let output = Recorder().stream(isTerminal: true, columns: columns)
    let console = Console(output: output, errors: Recorder().stream(), environment: [:])
    #expect(console.reportWidth == width)
  }
}
