import CoreDataStore
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("The bytes of tables", .temporaryFolder) struct TableSizesTests {
  private func guess(_ rows: [String: Int64]) throws -> TableSizes {
    // A constraint that a walk over the pages leaves to SQLite, and a table that hides SQLite's own
    // count of pages.
    try Store(
      StoreSample.make {
        try $0.execute("CREATE TABLE DBStat (name NOT NULL, pgsize, aggregate)")
      }
    ).tableSizes(rows: rows)
  }

  @Test("a table that hides SQLite's count is no hindrance where the pages were walked over")
  func walked() throws {
    let store = try Store(
      StoreSample.make { try $0.execute("CREATE TABLE DBStat (name, pgsize, aggregate)") })
    let sizes = store.tableSizes(rows: ["ZPERSON": 3])
    #expect(!sizes.isEstimate)
    #expect(sizes.bytes["ZPERSON"] == 4096)
  }

  @Test("an index counts for its table, where SQLite counts pages")
  func measured() throws {
    let store = try Store(
      StoreSample.make { try $0.execute("CREATE INDEX i ON ZPERSON (ZNAME)") })
    let sizes = store.tableSizes(rows: ["ZPERSON": 3])
    #expect(sizes.bytes["ZPERSON"] == (sizes.isEstimate ? store.files.bytes : 8192))
    #expect(sizes.bytes["i"] == nil)
  }

  @Test("the file is shared out by rows where pages cannot be counted")
  func estimated() throws {
    let sizes = try guess(["A": 1, "B": 3])
    let bytes = try Store(samplePath("a.sqlite")).files.bytes
    #expect(sizes.isEstimate)
    #expect(sizes.bytes == ["A": bytes / 4, "B": bytes * 3 / 4])
  }

  @Test("no rows take no bytes")
  func empty() throws { #expect(try guess(["A": 0]).bytes == ["A": 0]) }
}
