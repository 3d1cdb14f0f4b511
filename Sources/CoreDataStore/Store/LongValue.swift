package import SQLite

/// Finds the object with a value that is too long to be read, when reading many at once failed.
package struct LongValue {
  private let connection: Connection
  private let table: String

  /// The objects of a table, which may be that of an attached store.
  package init(_ connection: Connection, table: String, in schema: String = "main") {
    self.connection = connection
    self.table = Identifier.quoted(table, in: schema)
  }

  /// What an error is about: a part of the store and, where a value is too long, the object.
  package func subject(_ part: String, _ error: SQLiteError, after last: Int64? = nil) -> String {
    let key = error.isTooBig ? key(after: last) : nil
    return part + (key.map { ", Z_PK \($0)" } ?? "")
  }

  /// The key of the first such object behind a key, or of all; nil when each can be read by itself.
  private func key(after last: Int64?) -> Int64? {
    var found: Int64?
    let sql = "SELECT Z_PK FROM \(table) WHERE Z_PK > ?1 ORDER BY Z_PK"
    try? connection.query(sql, [.behind(last)]) { row in
      guard found == nil, let key = row.integer(0), isTooLong(key) else { return }
      found = key
      throw Found()
    }
    return found
  }

  /// Ends the search.
  private struct Found: Error {}

  private func isTooLong(_ key: Int64) -> Bool {
    do {
      try connection.query("SELECT * FROM \(table) WHERE Z_PK = ?1", [.integer(key)]) { _ in }
      return false
    } catch {
      return (error as? SQLiteError)?.isTooBig == true
    }
  }
}

extension Value {
  /// What keys are greater than behind a key, or before the first.
  ///
  /// A key may be the least integer there is. "If an INTEGER or REAL value is compared to another
  /// INTEGER or REAL value, a numerical comparison is performed" (SQLite, Datatypes).
  package static func behind(_ key: Int64?) -> Self { key.map(Self.integer) ?? .real(-.infinity) }
}
