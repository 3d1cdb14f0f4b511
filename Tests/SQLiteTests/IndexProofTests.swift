import Foundation
import SQLite
import TestSupport
import Testing

@Suite("The proof of an index", .temporaryFolder)
struct IndexProofTests {
  private var path: String { TemporaryFolder.url.appending(path: "a.sqlite").path }

  private static let columns = ["a", "b", "a DESC, b", "c", "d", "b, a DESC, c, d"]

  /// A table with values of all kinds and an index of each kind, named i0, i1, ...
  private func connection(_ columns: [String] = Self.columns) throws -> Connection {
    let connection = try Connection(path: path, mode: .own(create: true))
    try connection.execute(
      """
      CREATE TABLE t (k INTEGER PRIMARY KEY, a INTEGER, b VARCHAR, c FLOAT, d);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
      INSERT INTO t SELECT i, i * 7919 % 107,
      CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'B' ELSE 'aä' || i END, i / 2.0,
      CASE i % 6 WHEN 0 THEN i WHEN 1 THEN i + 0.25 WHEN 2 THEN CAST(i AS TEXT) WHEN 3 THEN NULL
      WHEN 4 THEN CAST(i AS BLOB) ELSE 9007199254740993 + i END FROM n
      """)
    for (number, list) in columns.enumerated() {
      try connection.execute("CREATE INDEX i\(number) ON t (\(list))")
    }
    return connection
  }

  private func right(_ connection: Connection) throws -> [String] {
    try IndexProof(connection).right(of: "t", holding: "t").sorted()
  }

  @Test("holds for what SQLite made, of all kinds of values in all orders")
  func right() throws {
    let connection = try connection()
    #expect(try right(connection) == ["i0", "i1", "i2", "i3", "i4", "i5"])
    #expect(try IndexProof(connection).right(of: "t", named: ["i3"], holding: "t") == ["i3"])
    try connection.execute("DELETE FROM t")
    #expect(try right(connection).count == 6)
  }

  @Test("holds for the index of a PRIMARY KEY and of UNIQUE, with NULL in it more than once")
  func keys() throws {
    let connection = try connection([])
    try connection.execute(
      """
      CREATE TABLE u (a INTEGER, b INTEGER, PRIMARY KEY (a, b)); CREATE UNIQUE INDEX ui ON u (b);
      INSERT INTO u VALUES (3, 1), (1, 2), (2, NULL), (4, NULL)
      """)
    let found = try IndexProof(connection).right(of: "u", holding: "u")
    #expect(found == ["sqlite_autoindex_u_1", "ui"])
  }

  @Test(
    "fails for rows that the table has and the index has not, or has otherwise",
    arguments: [
      "DELETE FROM o WHERE k = 500", "INSERT INTO o VALUES (1000, 5, 'x', 1, NULL)",
      "UPDATE o SET a = a + 1, b = b || 'x' WHERE k = 2", "UPDATE o SET k = 1000 WHERE k = 3",
      "UPDATE o SET a = (SELECT a FROM t WHERE k = 901 - o.k), b = k WHERE k IN (1, 900)",
    ])
  func others(sql: String) throws {
    let connection = try connection(["a", "b", "a DESC, b"])
    try connection.execute(
      """
      CREATE TABLE o (k INTEGER PRIMARY KEY, a INTEGER, b VARCHAR, c FLOAT, d);
      INSERT INTO o SELECT * FROM t
      """)
    #expect(try IndexProof(connection).right(of: "t", holding: "o").count == 3)
    try connection.execute(sql)
    #expect(try IndexProof(connection).right(of: "t", holding: "o").isEmpty)
  }

  @Test(
    "fails for an index whose statement says something else than its entries",
    arguments: [
      ("a", "b"), ("a", "a DESC"), ("b COLLATE NOCASE", "b"), ("a, b", "b, a"),
      ("a, b", "a, b DESC"),
    ])
  func words(pair: (String, String)) throws {
    let connection = try connection([pair.0])
    try connection.transaction {
      try connection.move(
        [MovedIndex(name: "i0", table: "t", sql: "CREATE INDEX i0 ON t (\(pair.1))")])
    }
    #expect(try right(connection).isEmpty)
  }

  @Test("fails for a UNIQUE index of values that are there twice")
  func unique() throws {
    let connection = try connection([])
    try connection.execute(
      "DELETE FROM t WHERE k > 4; UPDATE t SET a = k / 2; CREATE INDEX i ON t (a)")
    try connection.transaction {
      try connection.move([MovedIndex(name: "i", table: "t", sql: "CREATE UNIQUE INDEX i ON t (a)")]
      )
    }
    #expect(try right(connection).isEmpty)
    try connection.execute("DROP INDEX i; UPDATE t SET a = NULL WHERE a = 1")
    try connection.execute("CREATE UNIQUE INDEX i ON t (a)")
    #expect(try right(connection) == ["i"])
  }

  @Test("fails for two entries in the wrong order, which the quick check does not see")
  func order() throws {
    var connection = try connection([])
    try connection.execute(
      "DELETE FROM t; INSERT INTO t (k, b) VALUES (2, 'first'), (3, 'other')")
    try connection.execute("CREATE INDEX i ON t (b)")
    #expect(try right(connection) == ["i"])
    try connection.close()
    var data = try Data(contentsOf: URL(filePath: path))
    // A value with its rowid: of the two trees that have the values, the index comes last.
    let first = try #require(data.range(of: Data("first\u{2}".utf8), options: .backwards))
    let other = try #require(data.range(of: Data("other\u{3}".utf8), options: .backwards))
    data.replaceSubrange(first, with: Data("other\u{3}".utf8))
    data.replaceSubrange(other, with: Data("first\u{2}".utf8))
    try data.write(to: URL(filePath: path))
    connection = try Connection(path: path, mode: .own(create: false))
    #expect(try connection.problems(.quick).isEmpty)
    #expect(try !connection.problems(.full).isEmpty)
    #expect(try right(connection).isEmpty)
  }

  @Test(
    "is not given for partial indexes, expressions, and other collations",
    arguments: ["a) WHERE (a > 1", "a + 1", "b COLLATE NOCASE", "b COLLATE RTRIM, a"])
  func unproved(list: String) throws {
    #expect(try right(connection([list])).isEmpty)
  }
}
