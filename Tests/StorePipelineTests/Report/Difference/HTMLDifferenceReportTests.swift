import CoreDataStore
import Formats
import Foundation
import StoreMigration
import StorePipeline
import TestSupport
import Testing

@Suite("Report of two stores as a page", .temporaryFolder)
struct HTMLDifferenceReportTests {
  @Test("the page needs nothing from elsewhere") func alone() throws {
    let page = try HTMLDifferenceReport(DifferenceSample.everything()).text
    #expect(page.contains("default-src 'none'") && !page.contains("script-src 'unsafe-inline'"))
    for word in ["http:", "https:", "url(", "@import", " src=", "<link", "innerHTML"] {
      #expect(!page.contains(word))
    }
  }

  @Test("a value never becomes markup or script", arguments: DifferenceSample.hostile)
  func escaped(value: String) throws {
    var report = try DifferenceSample.report(
      [DifferenceSample.text(1, value, "b"), DifferenceSample.text(2, "a", value)],
      metadata: [
        ChangedMetadata(
          key: value, old: .string(value), new: .string("b"), isApplications: true)
      ])
    report.sections = [.init(title: value, note: value, columns: [value], rows: [[value]])]
    report.title = value
    let page = try HTMLDifferenceReport(report).text
    #expect(page.components(separatedBy: "<script").count == 4)
    #expect(page.components(separatedBy: "</script").count == 4)
    for markup in ["<!--", "<img", "<b>]", "'><b>", "\u{1B}", "\0"] {
      #expect(!page.contains(markup), "\(markup) is in the page")
    }
  }

  @Test("pictures are shown while there is room") func pictures() throws {
    var limits = DifferenceCollector.Limits()
    limits.images = 100
    let other = DifferenceSample.dot + [0]
    let report = try DifferenceSample.report(
      [
        DifferenceSample.changed(1, "picture", DifferenceSample.picture(), .value(.null)),
        DifferenceSample.changed(2, "picture", DifferenceSample.picture(), .value(.null)),
        DifferenceSample.changed(3, "picture", DifferenceSample.picture(other), .value(.null)),
      ], limits: limits)
    #expect(report.images.map(\.bytes) == [DifferenceSample.dot])
    let page = try HTMLDifferenceReport(report).text
    #expect(page.components(separatedBy: "data:image/png;base64,").count == 2)
    #expect(page.contains("PNG image, 71 B"))
  }

  @Test("a page that would be too large lists less, and says so") func capped() throws {
    let objects = (1...2_000).map { DifferenceSample.text($0, "a\($0)", "b\($0)") }
    let page = try HTMLDifferenceReport(DifferenceSample.report(objects), most: 20_000).text
    #expect(page.utf8.count < 80_000)
    #expect(page.contains("of 2,000 changed objects are counted but not listed here"))
  }
}
