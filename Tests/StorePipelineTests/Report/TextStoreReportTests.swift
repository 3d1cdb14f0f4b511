import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
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

  @Test("what does not fit is reported") func misfit() throws {
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

  @Test("a store in WAL mode without its -wal gets a line about what to copy, one with it does not")
  func missingLog() throws {
    let folder = TemporaryFolder.url
    try NotesSample.lay(in: folder)
    let path = folder.appending(path: "Notes.sqlite").path
    #expect(try StoreReport(path: path, facts: Self.facts(path)).missingLog == nil)
    try SampleStore.change(path, by: "PRAGMA journal_mode = WAL")
    let text = text(StoreReport(path: path, facts: try Self.facts(path)), width: 200)
    #expect(text.contains("\n-wal         none here: complete if the application has closed it;"))
    #expect(text.contains("copy Notes.sqlite-wal from there too"))
    try Data().write(to: URL(filePath: path + "-wal"))
    #expect(try StoreReport(path: path, facts: Self.facts(path)).missingLog == nil)
  }

  private static func facts(_ path: String) throws -> StoreFacts {
    let store = try Store(path)
    return try store.facts(store.recognise())
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
