package struct StoreIndex: Hashable, Sendable {
  /// Why Core Data makes it.
  package enum Purpose: Hashable, Sendable {
    /// It finds the objects that a relationship leads back from.
    case relationship(PropertyReference)
    /// It finds the objects of one entity of several in a table.
    case entityNumber
    /// It reads a table of pairs from its other side.
    case join
    /// No two objects may share these values.
    case uniqueness(entity: String)
    /// The model asks for it.
    case fetch(entity: String, index: String)
  }

  package struct Part: Hashable, Sendable {
    /// The column's name.
    package let column: String
    /// Whether the index runs upwards.
    package let isAscending: Bool
  }

  package let name: String
  package let table: String
  package let parts: [Part]
  /// The condition of a partial index, SQL.
  package let condition: String?
  /// Why Core Data makes it.
  package let purpose: Purpose

  init(
    _ name: String, on table: String, _ columns: [String], for purpose: Purpose,
    descending: Set<Int> = [], condition: String? = nil
  ) {
    self.name = name
    self.table = table
    parts = columns.enumerated().map {
      Part(column: $0.element, isAscending: !descending.contains($0.offset))
    }
    self.purpose = purpose
    self.condition = condition
  }

  /// Whether two objects may not share a key.
  package var isUnique: Bool {
    if case .uniqueness = purpose { true } else { false }
  }

  /// The indexes Core Data makes on its own say no collation and no direction.
  private var isPlain: Bool {
    switch purpose {
    case .relationship, .entityNumber, .join: true
    case .uniqueness, .fetch: false
    }
  }

  /// The statement that makes it, as Core Data writes it.
  package var sql: String { sql(on: table) }

  /// The statement that would make it of a table of another name.
  package func sql(on table: String) -> String {
    let list = parts.map { part in
      isPlain ? part.column : "\(part.column) COLLATE BINARY \(part.isAscending ? "ASC" : "DESC")"
    }
    let start = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
    let end = condition.map { " WHERE \($0)" } ?? ""
    return "\(start) \(name) ON \(table) (\(list.joined(separator: ", ")))\(end)"
  }
}
