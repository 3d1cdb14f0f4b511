internal import SQLite

/// Finds out quickly whether two tables of pairs have the same rows, by reading both in their
/// order.
struct SamePairs {
  private let connection: Connection
  private let before: String
  private let after: String

  /// `before` is a table of the source, `after` one of the new store; of both, no pair is there
  /// twice.
  init(_ connection: Connection, _ before: String, _ after: String) {
    self.connection = connection
    self.before = Identifier.quoted(before, in: "source")
    self.after = Identifier.quoted(after, in: "main")
  }

  /// Whether each row of one is a row of the other; `same` are the conditions for a row `s` of the
  /// source and a row `t` of the new store.
  func areSame(_ same: [String]) throws -> Bool {
    let total = try count(before)
    guard try count(after) == total else { return false }
    let condition = same.joined(separator: " AND ")
    // Rows that were copied as they stood have their old places: to find a row by its place costs
    // less than half of finding it by its pair.
    if try hasRowids(),
      try count("\(before) AS s JOIN \(after) AS t ON t.rowid = s.rowid WHERE \(condition)")
        == total
    {
      return true
    }
    return try count("\(before) AS s JOIN \(after) AS t ON \(condition)") == total
  }

  private func count(_ sql: String) throws -> Int64? {
    try connection.integer("SELECT count(*) FROM \(sql)")
  }

  /// Whether the table of the source has the rowids that Core Data's tables have.
  private func hasRowids() throws -> Bool {
    let name = before.split(separator: ".", maxSplits: 1).last ?? ""
    return try connection.rows("PRAGMA source.table_list(\(name))").first?[4] == .integer(0)
  }
}
