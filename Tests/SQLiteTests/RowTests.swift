import SQLite
import Testing

@Suite("Rows") struct RowTests {
  private let store: Connection

  init() throws { store = try Connection(inMemory: .own) }

  private func row<Result>(_ sql: String, _ body: (borrowing Row) throws -> Result) throws -> Result
  {
    let statement = try store.prepare(sql)
    try #require(statement.step())
    return try body(statement.row)
  }

  @Test("each storage class comes as it is")
  func values() throws {
    let sql = "SELECT NULL, 9223372036854775807, -0.5, 'a' || char(0) || 'b', x'', x'00ff', 1e999"
    let values = try row(sql) { row in try row.values() }
    #expect(
      values == [
        .null, .integer(.max), .real(-0.5), .text("a\0b"), .blob([]), .blob([0, 255]),
        .real(.infinity),
      ])
  }

  @Test("NULL is nil for every accessor, and so is a column that is not there")
  func null() throws {
    try row("SELECT NULL") { row in
      for column in [0, 1, -1, Int.max] {
        #expect(row.integer(column) == nil && row.real(column) == nil)
        #expect(try row.text(column) == nil && row.string(column) == nil)
        #expect(try row.blob(column) == nil)
        #expect(row.isNull(column))
      }
    }
  }

  @Test("text that is not UTF-8 keeps its bytes; as a string it is an error that names the column")
  func invalidText() throws {
    try row("SELECT CAST(x'61ff62' AS TEXT) AS broken") { row in
      #expect(try row.text(0)?.bytes == [0x61, 0xff, 0x62])
      #expect(try row.value(0) == .text(Text(bytes: [0x61, 0xff, 0x62])))
      #expect(sqliteError { _ = try row.string(0) }?.message.contains("broken") == true)
    }
  }

  @Test("bytes can be read where they lie")
  func withoutCopy() throws {
    try row("SELECT 'héllo', x'010203', NULL, ''") { row in
      #expect(try row.withText(0) { unsafe $0.count } == 6)
      #expect(try row.withBlob(1) { unsafe Array($0) } == [1, 2, 3])
      #expect(try row.withText(2) { unsafe $0.count } == 0)
      #expect(try row.withBlob(3) { unsafe $0.count } == 0)
    }
  }

  @Test("text of a UTF-16 database comes as UTF-8")
  func utf16() throws {
    try store.execute(
      "PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (v); INSERT INTO t VALUES ('é🗄️')")
    #expect(try store.string("SELECT v FROM t") == "é🗄️")
  }

  @Test("after the last row there is nothing to read")
  func beyond() throws {
    let statement = try store.prepare("SELECT 1")
    try statement.step()
    try #expect(!statement.step())
    #expect(statement.row.count == 0)
    #expect(statement.row.isNull(0))
  }
}
