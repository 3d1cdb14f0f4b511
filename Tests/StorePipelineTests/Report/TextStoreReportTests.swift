import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("Store report as text", .temporaryFolder)
struct TextStoreReportTests {
  private func text(_ report: StoreReport, width: Int = 80) -> String {
    TextStoreReport(report, width: width, style: Style(isOn: false)).text
  }

  @Test("it says what the store is and what is in it") func content() throws {
    let text = text(try StoreReportTests.notes(models: true))
    for line in [
      "journal      delete", "integrity    ok", "   2     3  8.2 kB  Note", "  Z_2TAGS  2 rows",
      "external files  none", "history         none kept",
      "  by application  lastOpenedBy, launches",
    ] { #expect(text.contains("\(line)\n") || text.hasSuffix(line)) }
    #expect(!text.contains("somebody"))
  }

  @Test("what does not fit is told") func misfit() throws {
    let text = text(try StoreReportTests.notes(against: "Notes 2"))
    #expect(text.contains("\nagainst      Notes 2 does not fit\n"))
    #expect(text.contains("\nWhy Notes 2 does not fit\n  Attachment is in your model, not in the"))
  }

  @Test("all of the metadata comes when asked for, private values still not") func metadata() throws
  {
    let text = text(try StoreReportTests.notes(metadata: true))
    #expect(text.contains("  lastOpenedBy                      string, 8 B, by application\n"))
    #expect(text.contains("  NSStoreType                       \"SQLite\"\n"))
  }

  @Test("no line is wider than the terminal but for one word", arguments: [60, 80])
  func width(width: Int) throws {
    let text = text(try StoreReportTests.notes(metadata: true), width: width)
    let wide = text.split(separator: "\n").filter { line in
      line.count > width && line.split(separator: " ").allSatisfy { $0.count < 40 }
    }
    #expect(wide.isEmpty)
  }
}
