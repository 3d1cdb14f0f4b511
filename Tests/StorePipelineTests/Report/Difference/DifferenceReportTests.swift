import CoreDataStore
import Formats
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Report of two stores")
struct DifferenceReportTests {
  @Test("hidden values are nowhere", arguments: [ValueDisplay.none, .hash])
  func hidden(display: ValueDisplay) throws {
    let objects = [
      DifferenceSample.text(1, "secret old", "secret new"),
      DifferenceSample.text(2, " secret ", "secret"),
      DifferenceSample.changed(3, "title", .value(.null), .value(.string("secret"))),
      DifferenceSample.changed(4, "picture", DifferenceSample.picture(), .lost(name: "secret")),
      DifferenceSample.changed(5, "count", .value(.integer(4_711)), .value(.integer(4_712))),
    ]
    let report = try DifferenceSample.report(
      objects, display: display,
      metadata: [
        ChangedMetadata(key: "a", old: .string("secret"), new: nil, isApplications: true)
      ])
    let texts = [
      try HTMLDifferenceReport(report).text, try MarkdownDifferenceReport(report).text,
      try JSONDifferenceReport(report, limit: 100).text,
      try TextDifferenceReport(report, limit: 100, width: 100, style: Style(isOn: false)).text,
    ]
    for text in texts {
      #expect(!text.contains("secret") && !text.contains("471"))
      #expect(!text.contains("data:image"))
    }
  }

  @Test("the verdict says in one sentence what happened") func verdict() throws {
    #expect(
      try DifferenceSample.everything().verdict
        == "Of 3,444 objects, 3,000 are the same, 443 have other values or links and 1 is gone. "
        + "1 object is new. 2 were rejected.")
    #expect(try DifferenceSample.report([]).verdict.hasPrefix("No object was compared"))
    let side = DifferenceReport.Side(path: "A.sqlite", version: "A")
    let same = DifferenceCollector(display: .short).report(
      StoreDifference(entities: [ComparedEntity(name: "Note", kept: 2)]), before: side, after: side,
      models: nil)
    #expect(same.verdict.contains("the same objects"))
  }
}
