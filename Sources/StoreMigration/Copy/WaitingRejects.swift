internal import CoreDataStore
internal import Foundation
internal import SQLite

// The objects that wait to be retried: those that a run of the store's own log has rejected, and
// that no later run of that log has made or left out. A run that was rolled back is not in the log
// any more.
extension RejectStore {
  /// How many objects wait, by run and entity.
  package struct Waiting: Sendable, Hashable {
    package let run: String
    package let entity: String
    /// How many there are.
    package let count: Int
  }

  /// How many objects wait in a file, by run and entity; none when there is no file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - log: The runs that the store has been through, by its own log.
  /// - Returns: The counts.
  /// - Throws: ``Failure`` when the file cannot be read.
  package static func waiting(at path: String, log: [String]) throws -> [Waiting] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    do {
      let connection = try reading(path)
      defer { try? connection.close() }
      return try waiting(connection, log)
    } catch {
      throw Failure(error, what: "cannot count the rejected objects", subject: path)
    }
  }

  /// The first objects that wait in a file, by run, entity and key; none when there is no file.
  package static func waiting(
    at path: String, log: [String], first count: Int
  ) throws -> [(run: String, reject: Reject)] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    var found: [(run: String, reject: Reject)] = []
    do {
      let connection = try reading(path)
      defer { try? connection.close() }
      try connection.query(
        """
        SELECT \(try columns(connection)), run FROM rejects AS r
        WHERE \(try condition(connection)) ORDER BY run, entity, key, 7 LIMIT ?2
        """, [list(log), .integer(Int64(count))]
      ) { row in found.append((try row.string(7) ?? "", try reject(row))) }
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot read the rejected objects", subject: path)
    }
    return found
  }

  private static func waiting(
    _ connection: Connection, _ log: [String]
  ) throws(SQLiteError) -> [Waiting] {
    try connection.rows(
      """
      SELECT run, entity, count(*) FROM rejects AS r WHERE \(try condition(connection))
      GROUP BY run, entity ORDER BY run, entity
      """, [list(log)]
    ).map { row in
      Waiting(
        run: row[0].string ?? "", entity: row[1].string ?? "", count: Int(row[2].integer ?? 0))
    }
  }

  /// Which objects wait, of the runs in ?1.
  private static func condition(_ connection: Connection) throws(SQLiteError) -> String {
    let runs = "(SELECT value FROM json_each(?1))"
    guard let settled = try settling(connection) else { return "r.run IN \(runs)" }
    return "r.run IN \(runs) AND NOT EXISTS (\(settled))"
  }

  /// The objects that one run has rejected, by entity and key, each with the run of the log that
  /// has put it in since; none when there is no file.
  package static func forEach(
    at path: String, of run: String, _ log: [String],
    _ body: (_ reject: Reject, _ settledBy: String?) throws -> Void
  ) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      let connection = try reading(path)
      defer { try? connection.close() }
      let settled = try settling(connection)
      try connection.query(
        """
        SELECT \(try columns(connection)), \(settled.map { "(\($0))" } ?? "NULL")
        FROM rejects AS r WHERE run = ?2 AND run IN (SELECT value FROM json_each(?1))
        ORDER BY entity, key, 7
        """, [list(log), .text(run)]
      ) { row in try body(try reject(row), try row.string(7)) }
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot read the rejected objects", subject: path)
    }
  }

  /// Notes how a later run has ended for the objects of an earlier one, all or nothing: those that
  /// failed again have a new reason, the others, by step and entity, wait no longer once the
  /// store's log names the run.
  package func settle(
    _ keys: [String: [String: [Int64]]], of run: String, by later: String, failed: [Reject]
  ) throws {
    try telling("cannot note how the retry ended") {
      try connection.transaction {
        for (step, entities) in keys {
          for (entity, keys) in entities {
            for key in keys {
              try connection.run(
                """
                INSERT OR IGNORE INTO settled (run, entity, key, by, step)
                VALUES (?1, ?2, ?3, ?4, ?5)
                """,
                [.text(run), .text(entity), .integer(key), .text(later), .text(step)])
            }
          }
        }
        for reject in failed {
          try connection.run(
            """
            UPDATE OR IGNORE rejects SET reason = ?4, script = ?5, line = ?6,
            step = CASE ?7 WHEN '' THEN step ELSE ?7 END
            WHERE run = ?1 AND entity = ?2 AND key = ?3 AND (step IN (?7, '') OR ?7 = '')
            """,
            [
              .text(run), .text(reject.entity), .integer(reject.key), .text(reject.reason),
              .text(reject.script), .integer(Int64(reject.line)),
              .text(reject.step ?? ""),
            ])
        }
      }
    }
  }

  /// Gives up the objects that wait: it is noted that their own run has settled them.
  ///
  /// - Returns: How many there were.
  package func giveUp(log: [String]) throws -> Int {
    try telling("cannot give up the rejected objects") {
      try connection.transaction {
        try connection.run(
          """
          INSERT OR IGNORE INTO settled (run, entity, key, by, step)
          SELECT run, entity, key, run, step FROM rejects AS r
          WHERE \(try Self.condition(connection))
          """, [Self.list(log)])
      }
    }
  }

  /// The run of the log in ?1 that has settled `r`; nil in a file that has noted none.
  ///
  /// A file of an earlier version may have no such table, or not know the step: then it has one
  /// object of each key.
  private static func settling(_ connection: Connection) throws(SQLiteError) -> String? {
    guard try connection.integer("SELECT 1 FROM sqlite_master WHERE name = 'settled'") == 1 else {
      return nil
    }
    let hasSteps = try Self.hasSteps(connection, "settled")
    return """
      SELECT s.by FROM settled AS s WHERE s.run = r.run AND s.entity = r.entity
      AND s.key = r.key AND s.by IN (SELECT value FROM json_each(?1))
      \(hasSteps ? "AND (s.step = r.step OR s.step = '' OR r.step = '')" : "")
      """
  }

  /// Run ids as one parameter; they consist of digits, letters and hyphens.
  private static func list(_ runs: [String]) -> Value {
    let plain = runs.filter { run in
      run.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }
    }
    return .text("[" + plain.map { "\"\($0)\"" }.joined(separator: ",") + "]")
  }
}
