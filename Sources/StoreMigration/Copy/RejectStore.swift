internal import CoreDataStore
internal import Foundation
internal import SQLite

/// The file of objects that were rejected: they are in neither store after a run, so it is kept
/// next to the store.
///
/// It is a file of its own. A chunk's objects are written before the chunk commits; when a kill
/// comes in between, the chunk is done again and its objects replace themselves.
package final class RejectStore {
  let connection: Connection
  private let path: String

  private static let schema = """
    CREATE TABLE IF NOT EXISTS rejects (run TEXT NOT NULL, entity TEXT NOT NULL,
    key INTEGER NOT NULL, reason TEXT NOT NULL, script TEXT NOT NULL, line INTEGER NOT NULL,
    object BLOB NOT NULL, step TEXT NOT NULL DEFAULT '', PRIMARY KEY (run, entity, key, step))
    WITHOUT ROWID
    """
  /// Which later run has retried an object: it counts once a store's own log names that run, so
  /// that whatever ends a process, the store and this file say the same.
  private static let settled = """
    CREATE TABLE IF NOT EXISTS settled (run TEXT NOT NULL, entity TEXT NOT NULL,
    key INTEGER NOT NULL, by TEXT NOT NULL, step TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (run, entity, key, by, step)) WITHOUT ROWID
    """

  /// Opens the file, or makes it.
  package init(path: String) throws {
    self.path = path
    let isThere = FileManager.default.fileExists(atPath: path)
    do {
      var mode = OpenMode.own(create: !isThere)
      // For those who only look.
      mode.wait = .seconds(10)
      connection = try Connection(path: path, mode: mode)
      try connection.transaction { try Self.makeTables(connection) }
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot open the file of rejected objects", subject: path)
    }
  }

  /// Makes the tables; those of an earlier version, whose keys have no step, are written again with
  /// what they hold.
  private static func makeTables(_ connection: Connection) throws(SQLiteError) {
    for (table, schema, columns) in [
      ("rejects", schema, "run, entity, key, reason, script, line, object"),
      ("settled", settled, "run, entity, key, by"),
    ] {
      let known =
        try connection.integer(
          "SELECT count(*) FROM pragma_table_info('\(table)')") ?? 0
      let isKeyed =
        try connection.integer(
          "SELECT pk FROM pragma_table_info('\(table)') WHERE name = 'step'") ?? 0 > 0
      guard known > 0, !isKeyed else {
        try connection.execute(schema)
        continue
      }
      let step = try Self.hasSteps(connection, table) ? "ifnull(step, '')" : "''"
      try connection.execute("ALTER TABLE \(table) RENAME TO earlier")
      try connection.execute(schema)
      try connection.execute(
        "INSERT INTO \(table) (\(columns), step) SELECT \(columns), \(step) FROM earlier")
      try connection.execute("DROP TABLE earlier")
    }
  }

  /// Adds rejected objects, all or none; one that is there already is replaced.
  package func add(_ rejects: [Reject], run: String) throws {
    guard !rejects.isEmpty else { return }
    try telling("cannot keep the rejected objects") {
      try connection.transaction {
        for reject in rejects {
          try connection.run(
            """
            INSERT OR REPLACE INTO rejects (run, entity, key, reason, script, line, object,
            step) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """,
            [
              .text(run), .text(reject.entity), .integer(reject.key), .text(reject.reason),
              .text(reject.script), .integer(Int64(reject.line)), .blob(reject.values),
              .text(reject.step ?? ""),
            ])
        }
      }
    }
  }

  /// How many objects a run has rejected.
  package func count(run: String) throws -> Int {
    try telling("cannot count the rejected objects") {
      Int(
        try connection.integer("SELECT count(*) FROM rejects WHERE run = ?1", [.text(run)]) ?? 0)
    }
  }

  /// How many objects a run has rejected, by entity.
  package func counts(run: String) throws -> [String: Int] {
    try telling("cannot count the rejected objects") {
      let rows = try connection.rows(
        "SELECT entity, count(*) FROM rejects WHERE run = ?1 GROUP BY entity", [.text(run)])
      let pairs = rows.compactMap { row in
        row[0].string.map { ($0, Int(row[1].integer ?? 0)) }
      }
      return Dictionary(pairs) { first, _ in first }
    }
  }

  /// How many objects are in a file of those that all runs rejected; none when there is no file.
  package static func count(at path: String) throws -> Int {
    guard FileManager.default.fileExists(atPath: path) else { return 0 }
    do {
      let connection = try Self.reading(path)
      defer { try? connection.close() }
      return Int(try connection.integer("SELECT count(*) FROM rejects") ?? 0)
    } catch {
      throw Failure(error, what: "cannot count the rejected objects", subject: path)
    }
  }

  /// The runs that have rejected the objects in a file; none when there is no file.
  package static func runs(at path: String) throws -> Set<String> {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    do {
      let connection = try Self.reading(path)
      defer { try? connection.close() }
      return Set(
        try connection.rows("SELECT DISTINCT run FROM rejects").compactMap { $0[0].string })
    } catch {
      throw Failure(error, what: "cannot read the rejected objects", subject: path)
    }
  }

  /// A connection to look at a file of rejected objects.
  ///
  /// A process that was killed while it wrote has left a journal, and SQLite does not read the file
  /// before that is rolled back, which a connection that only reads cannot do
  /// (SQLITE_READONLY_ROLLBACK).
  static func reading(_ path: String) throws(SQLiteError) -> Connection {
    let hasJournal = FileManager.default.fileExists(atPath: path + "-journal")
    var mode: OpenMode = hasJournal ? .foreignWritable : .foreign
    mode.wait = .seconds(1)
    return try Connection(path: path, mode: mode)
  }

  /// The first objects that a run has rejected, by entity and key.
  package func first(_ count: Int, run: String) throws -> [Reject] {
    struct Enough: Error {}
    var found: [Reject] = []
    do {
      try forEach(run: run) { reject in
        guard found.count < count else { throw Enough() }
        found.append(reject)
      }
    } catch is Enough {}
    return found
  }

  /// The objects with a key that a run has rejected; none when there is no file.
  package static func rejected(_ key: Int64, run: String, at path: String) throws -> [Reject] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    do {
      let connection = try reading(path)
      defer { try? connection.close() }
      var found: [Reject] = []
      try connection.query(
        "SELECT \(try columns(connection)) FROM rejects WHERE run = ?1 AND key = ?2",
        [.text(run), .integer(key)]
      ) { row in found.append(try reject(row)) }
      return found
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot read the rejected objects", subject: path)
    }
  }

  /// The objects that a run has rejected, by entity and key, one after the other.
  package func forEach(run: String, _ body: (Reject) throws -> Void) throws {
    try telling("cannot read the rejected objects") {
      try connection.query(
        """
        SELECT \(try Self.columns(connection)) FROM rejects WHERE run = ?1
        ORDER BY entity, key, step
        """, [.text(run)]
      ) { row in try body(try Self.reject(row)) }
    }
  }

  /// The columns of ``reject(_:)``: in a file of an earlier version no step is noted.
  static func columns(_ connection: Connection) throws(SQLiteError) -> String {
    let step = try hasSteps(connection, "rejects") ? "nullif(step, '')" : "NULL"
    return "entity, key, reason, script, line, object, \(step)"
  }

  static func hasSteps(
    _ connection: Connection, _ table: String
  ) throws(SQLiteError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM pragma_table_info('\(table)') WHERE name = 'step'") == 1
  }

  /// An object of a row with its ``columns(_:)``.
  static func reject(_ row: borrowing Row) throws -> Reject {
    Reject(
      entity: try row.string(0) ?? "", key: row.integer(1) ?? 0, reason: try row.string(2) ?? "",
      script: try row.string(3) ?? "", line: Int(row.integer(4) ?? 0),
      values: try row.blob(5) ?? [], step: try row.string(6))
  }

  package func close() throws {
    try telling("cannot close the file of rejected objects") { try connection.close() }
  }

  @discardableResult func telling<Result>(
    _ what: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw Failure(error, what: what, subject: path)
    }
  }
}
