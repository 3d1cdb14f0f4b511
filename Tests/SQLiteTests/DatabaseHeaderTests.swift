import SQLite
import TestSupport
import Testing

@Suite("Database headers", .temporaryFolder) struct DatabaseHeaderTests {
  @Test("a header says what SQLite says", arguments: [512, 32_768, 65_536], ["DELETE", "WAL"])
  func facts(pageSize: Int, journal: String) throws {
    let store = try makeStore(file("a"), rows: 50, pageSize: pageSize, journal: journal)
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let pages = try store.integer("PRAGMA page_count")
    try store.close()
    let header = try #require(DatabaseHeader(contents(file("a"))))
    #expect(header.pageSize == pageSize)
    #expect(header.pageCount.map(Int64.init) == pages)
    #expect(header.isWAL == (journal == "WAL"))
    #expect(header.changeCounter > 0)
  }

  @Test(
    "a file laid out in another way than ours is distinguished",
    arguments: [
      ("PRAGMA auto_vacuum = 0", false), ("PRAGMA auto_vacuum = 1", false),
      ("PRAGMA auto_vacuum = 2", true), ("PRAGMA encoding = 'UTF-16le'", false),
    ])
  func usual(pragma: String, isUsual: Bool) throws {
    let path = file("a")
    var mode = OpenMode.own(create: true)
    mode.autoVacuum = pragma.contains("encoding") ? 2 : 0
    let store = try Connection(path: path, mode: mode)
    try store.execute("\(pragma); CREATE TABLE t (a)")
    try store.close()
    let header = try #require(DatabaseHeader(contents(path)))
    #expect(header.isUsual == isUsual)
  }

  @Test(
    "a page size that is no power of two, or too small, is no header", arguments: [0, 256, 513, 3])
  func pageSize(size: Int) throws {
    try makeStore(file("a")).close()
    var bytes = try contents(file("a"))
    bytes[16] = UInt8(size >> 8)
    bytes[17] = UInt8(size & 255)
    #expect(DatabaseHeader(bytes) == nil)
    #expect(DatabaseHeader(Array(bytes.prefix(99))) == nil)
  }
}
