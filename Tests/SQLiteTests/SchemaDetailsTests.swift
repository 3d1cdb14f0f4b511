import SQLite
import TestSupport
import Testing

@Suite("Columns of ordinary tables") struct SchemaDetailsTests {
  private struct Undone: Error {}

  @Test("a view that took a table's name after the table was undone is refused")
  func undone() throws {
    let connection = try Connection(inMemory: .own)
    try? connection.transaction {
      try connection.execute("CREATE TABLE t (a, b)")
      #expect(try connection.columns(of: "t").map(\.name) == ["a", "b"])
      throw Undone()
    }
    try connection.execute("CREATE VIEW t AS SELECT 1 AS a")
    #expect(throws: SQLiteError.self) { try connection.columns(of: "t") }
    try connection.execute("DROP VIEW t")
    try connection.run("BEGIN", [])
    try connection.execute("CREATE TABLE t (a, b)")
    #expect(try connection.columns(of: "t").count == 2)
    try connection.rollBack()
    try connection.execute("CREATE VIEW t AS SELECT 1 AS a")
    #expect(throws: SQLiteError.self) { try connection.columns(of: "t") }
  }

  @Test("a table that is new, and one that is gone, are seen at once") func changes() throws {
    let connection = try Connection(inMemory: .own)
    #expect(throws: SQLiteError.self) { try connection.columns(of: "t") }
    try connection.execute("CREATE TABLE t (a)")
    #expect(try connection.columns(of: "t").count == 1)
    #expect(try connection.columns(of: "t", in: "MAIN").count == 1)
    try connection.execute("DROP TABLE t")
    #expect(throws: SQLiteError.self) { try connection.columns(of: "t") }
  }
}
