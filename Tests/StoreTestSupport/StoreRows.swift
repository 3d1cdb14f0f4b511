import SQLite

/// Rows of a store as text, to be compared.
package enum StoreRows {
  /// The rows of a query, cells between bars.
  package static func read(_ sql: String, at path: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .foreign)
    defer { try? connection.close() }
    return try connection.rows(sql).map { row in
      row.map(text).joined(separator: "|")
    }
  }

  /// Changes a store by SQL, as no application would.
  package static func change(_ sql: String, at path: String) throws {
    let connection = try Connection(path: path, mode: .foreignWritable)
    defer { try? connection.close() }
    try connection.execute(sql)
  }

  /// A value as text; bytes as hexadecimal numbers.
  static func text(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text.string ?? "?"
    case .blob(let bytes): bytes.map { String($0, radix: 16) }.joined(separator: " ")
    }
  }

  /// The statements of a store's tables, indexes and triggers, in order.
  package static func schema(at path: String) throws -> [String] {
    try read("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY sql", at: path)
  }

  /// All rows of all tables but Core Data's own, by table.
  package static func tables(at path: String) throws -> [String: [String]] {
    let names = try read(
      """
      SELECT name FROM sqlite_master WHERE type = 'table'
      AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE')
      """, at: path)
    let pairs = try names.map { name in
      let table = Identifier.quoted(name)
      return (name, try read("SELECT * FROM \(table) ORDER BY 1, 2", at: path))
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
