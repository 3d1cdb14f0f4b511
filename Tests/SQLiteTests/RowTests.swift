import SQLite
import Testing

@Suite("Rows") struct RowTests {
  private let store: Connection

  init() throws { store = try Connection(inMemory: .own) }

  private func row<Result>(_ sql: String, _ body: (borrowing Row) throws -> Result) throws -> Result
  {
    let statement = try store.prepare(sql)
    let isThere = try statement.step()
    try #require(isThere)
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
        let numbers = (row.integer(column), row.real(column))
        #expect(numbers == (nil, nil))
        let (text, string, blob) = (
          try row.text(column), try row.string(column), try row.blob(column)
        )
        #expect(text == nil && string == nil && blob == nil)
        let type = row.type(column)
        #expect(type == .null)
      }
    }
  }

  @Test("text that is not UTF-8 keeps its bytes; as a string it is an error that names the column")
  func invalidText() throws {
    try row("SELECT CAST(x'61ff62' AS TEXT) AS broken") { row in
      let expected = Text(bytes: [0x61, 0xff, 0x62])
      let (text, value) = (try row.text(0), try row.value(0))
      #expect(text == expected)
      #expect(value == .text(expected))
      do throws(SQLiteError) {
        _ = try row.string(0)
        Issue.record("the text passed for UTF-8")
      } catch {
        #expect(error.message.contains("broken"))
      }
    }
  }

  @Test("bytes can be read where they lie")
  func withoutCopy() throws {
    try row("SELECT 'héllo', x'010203', NULL, ''") { row in
      let text = unsafe try row.withText(0) { unsafe Array($0) }
      let blob = unsafe try row.withBlob(1) { unsafe Array($0) }
      let null = unsafe try row.withText(2) { unsafe Array($0) }
      let empty = unsafe try row.withBlob(3) { unsafe Array($0) }
      #expect(text == Array("héllo".utf8) && blob == [1, 2, 3] && null == [] && empty == [])
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
    let (count, type) = (statement.row.count, statement.row.type(0))
    #expect(count == 0 && type == .null)
  }
}
