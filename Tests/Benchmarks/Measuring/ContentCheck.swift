import Foundation
import SQLite

/// Whether two stores hold the same rows, by what a reader of either would see.
struct ContentCheck {
  /// A table by its name, the columns that tell its rows apart, and others.
  struct Table {
    var name: String
    var keys: [String]
    var columns: [String] = []
  }

  /// What is compared.
  var tables: [Table]

  /// Says where they differ; nil when they are the same.
  func difference(between store: URL, and reference: URL) throws -> String? {
    let connection = try Connection(path: store.path, mode: .foreign)
    defer { try? connection.close() }
    try connection.attach(reference.path, as: "reference", .readOnly)
    for table in tables {
      let counts = try connection.rows(sql(table)).first?.compactMap(\.integer) ?? []
      guard counts.count == 3, Set(counts).count == 1 else {
        let words = ["\(table.name) has", "of", "rows, equal are"]
        return zip(words, counts).map { "\($0) \($1)" }.joined(separator: " ")
      }
    }
    let indexes = try ["main", "reference"].map { schema in
      try connection.rows(
        "SELECT name FROM \(schema).sqlite_master WHERE type = 'index' ORDER BY name")
    }
    return indexes[0] == indexes[1] ? nil : "other indexes"
  }

  private func sql(_ table: Table) -> String {
    let keys = table.keys.map { "a.\($0) = b.\($0)" }
    let columns = table.columns.map { "a.\($0) IS b.\($0)" }
    // CROSS JOIN keeps the order: the first is read as it lies, the second looked up by its key.
    return """
      SELECT (SELECT count(*) FROM main.\(table.name)),
        (SELECT count(*) FROM reference.\(table.name)),
        (SELECT count(*) FROM main.\(table.name) AS a NOT INDEXED
        CROSS JOIN reference.\(table.name) AS b
        WHERE \((keys + columns).joined(separator: " AND ")))
      """
  }
}
