import Foundation
import SQLite
import TestSupport
import Testing

@Suite("An index that changes its table", .temporaryFolder)
struct IndexHomeTests {
  private func connection() throws -> Connection {
    let path = TemporaryFolder.url.appending(path: "a.sqlite").path
    let connection = try Connection(path: path, mode: .own(create: true))
    try connection.execute(
      """
      CREATE TABLE one (k INTEGER PRIMARY KEY, a); CREATE INDEX i ON one (a);
      INSERT INTO one VALUES (1, 'x'), (2, 'y');
      CREATE TABLE two (k INTEGER PRIMARY KEY, b, a); INSERT INTO two SELECT k, 0, a FROM one
      """)
    return connection
  }

  @Test("has its entries there")
  func moves() throws {
    let connection = try connection()
    try connection.transaction {
      try connection.move([MovedIndex(name: "i", table: "two", sql: "CREATE INDEX i ON two (a)")])
      try connection.execute("DROP TABLE one")
    }
    #expect(try connection.problems(.full).isEmpty)
    #expect(
      try connection.integer("SELECT k FROM two INDEXED BY i WHERE a = 'y'") == 2)
  }

  @Test("one that is not there is an error, and the schema cannot be written after it")
  func missing() throws {
    let connection = try connection()
    #expect(throws: SQLiteError.self) {
      try connection.transaction {
        try connection.move([MovedIndex(name: "j", table: "two", sql: "CREATE INDEX j ON two (a)")])
      }
    }
    try? connection.execute("PRAGMA writable_schema = ON")
    #expect(throws: SQLiteError.self) {
      try connection.execute("DELETE FROM sqlite_master WHERE name = 'i'")
    }
  }
}
