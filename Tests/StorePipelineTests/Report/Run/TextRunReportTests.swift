import CoreDataStore
import Testing

@testable import StorePipeline

@Suite("A run with its difference as text")
struct TextRunReportTests {
  @Test("the summary comes first, then what is different, and what was touched last")
  func order() throws {
    var report = try DifferenceSample.report([DifferenceSample.text(1, "a ", "a")])
    report.run = RunSummarySample.everything(.dryRun(kept: nil))
    report.remark = "Nothing was touched."
    let text = try TextRunReport(
      RunSummarySample.everything(.dryRun(kept: nil)), report, limit: 5, width: 80,
      style: Style(isOn: false)
    ).text
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first == "Notes.sqlite: Notes -> Notes 2, a dry run")
    #expect(lines.last == "Nothing was touched.")
    #expect(!text.contains("Old.sqlite -> New.sqlite"))
    #expect(text.contains("~  Note, 1 object: title trimmed"))
  }
}
