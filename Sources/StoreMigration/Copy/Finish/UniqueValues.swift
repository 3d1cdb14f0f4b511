package import CoreDataStore
internal import SQLite

/// Objects that share values which no two objects may share from now on.
///
/// The index that forbids it cannot be made over them, and only says that there are some: it is
/// left out, so that a validation names them all. A store that lacks such an index is not to be
/// taken for whole unless it was validated.
package struct UniqueValues {
  private let connection: Connection
  private let schema: StoreSchema

  init(_ connection: Connection, _ schema: StoreSchema) {
    (self.connection, self.schema) = (connection, schema)
  }

  /// The indexes that cannot be made, of those that are not there.
  func broken(besides there: Set<String>) throws -> [StoreIndex] {
    try schema.indexes.filter {
      try $0.isUnique && !there.contains($0.name) && first(in: $0) != nil
    }
  }

  /// Why a finished store lacks an index of a uniqueness constraint; nil when it has all.
  package static func refusal(of path: String, _ schema: StoreSchema) throws -> Failure? {
    guard schema.indexes.contains(where: \.isUnique) else { return nil }
    do {
      let connection = try Connection(path: path, mode: .foreign)
      defer { try? connection.close() }
      let there = Set(try Schema(of: connection).objects(of: .index).map(\.name))
      let values = Self(connection, schema)
      for index in schema.indexes where index.isUnique && !there.contains(index.name) {
        if let found = try values.first(in: index) { return refusal(index, found) }
      }
      return nil
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot look at the new store", subject: path)
    }
  }

  /// Two objects that share the values of an index.
  private func first(in index: StoreIndex) throws -> (Int64, Int64)? {
    let columns = index.parts.map(\.column)
    // "all NULL values are considered different from all other NULL values" (CREATE INDEX).
    let filled = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let found = try connection.rows(
      """
      SELECT min(Z_PK), max(Z_PK) FROM main.\(index.table) WHERE \(filled)
      \(index.condition.map { "AND (\($0))" } ?? "")
      GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1
      """)
    guard let first = found.first?[0].integer, let second = found.first?[1].integer else {
      return nil
    }
    return (first, second)
  }

  private static func refusal(_ index: StoreIndex, _ found: (Int64, Int64)) -> Failure {
    let entity = if case .uniqueness(let entity) = index.purpose { entity } else { index.table }
    let columns = index.parts.map(\.column).joined(separator: ", ")
    return Failure(
      .unusable, what: "cannot keep a uniqueness constraint of the new model",
      subject: "entity \(entity), \(columns)",
      why: "The objects with Z_PK \(found.0) and \(found.1) have the same values.",
      remedy: "Leave one of them out, change it by a script, or take the constraint away; the "
        + "stage validate names all of them.")
  }
}
