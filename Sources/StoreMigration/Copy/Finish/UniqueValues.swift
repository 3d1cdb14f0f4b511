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
  ///
  /// `origins` says where objects came from, in sentences, as far as that is known.
  package static func refusal(
    of path: String, _ schema: StoreSchema, _ opened: OpenedStores,
    origins: ([ObjectID]) -> String = { _ in "" }
  ) throws -> Failure? {
    guard schema.indexes.contains(where: \.isUnique) else { return nil }
    do {
      let connection = try opened.connection(to: path)
      let there = Set(try Schema(of: connection).objects(of: .index).map(\.name))
      let values = Self(connection, schema)
      for index in schema.indexes where index.isUnique && !there.contains(index.name) {
        guard let found = try values.first(in: index) else { continue }
        var failure = Self.refusal(index, found)
        let text = origins(try values.objects(found, of: index))
        if !text.isEmpty { failure.why += " \(text)" }
        return failure
      }
      return nil
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot look at the new store", subject: path)
    }
  }

  /// Why an index cannot be made; nil when it can.
  func refusal(ofIndex name: String) throws -> Failure? {
    guard let index = schema.indexes.first(where: { $0.name == name }) else { return nil }
    return try first(in: index).map { Self.refusal(index, $0) }
  }

  /// The objects that a retry has put in and that share values with one that was there, or with an
  /// earlier one of these.
  func surplus() throws -> [(object: ObjectID, reason: String)] {
    var found: [ObjectID: String] = [:]
    for index in schema.indexes where index.isUnique {
      let names = index.parts.map { part in
        schema.table(named: index.table)?.columns.first { $0.name == part.column }?.propertyName
          ?? part.column
      }
      let rows = try connection.rows(surplus(of: index))
      for row in rows {
        guard let object = id(row[0], row[1]), let other = id(row[2], row[3]) else { continue }
        found[object] =
          "\(object.entity).\(names.joined(separator: ", ")) must be unique, and \(other.entity) "
          + "\(other.key) has the same"
      }
    }
    return found.sorted { ($0.key.entity, $0.key.key) < ($1.key.entity, $1.key.key) }
      .map { (object: $0.key, reason: $0.value) }
  }

  private func surplus(of index: StoreIndex) -> String {
    let columns = index.parts.map { Identifier.quoted($0.column) }
    let list = columns.joined(separator: ", ")
    return """
      SELECT Z_ENT, Z_PK, first_entity, first FROM (SELECT Z_ENT, Z_PK, is_new,
        first_value(Z_ENT) OVER g AS first_entity, first_value(Z_PK) OVER g AS first,
        row_number() OVER g AS place
        FROM (SELECT t.*, \(BuilderTables.isPutIn("t")) AS is_new FROM main.\(index.table) AS t
          WHERE \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
          \(index.condition.map { "AND (\($0))" } ?? ""))
        WINDOW g AS (PARTITION BY \(list) ORDER BY is_new, Z_PK))
      WHERE place > 1 AND is_new
      """
  }

  private func id(_ number: Value, _ key: Value) -> ObjectID? {
    guard let number = number.integer, let key = key.integer,
      let layout = schema.entity(number: Int(clamping: number))
    else { return nil }
    return ObjectID(entity: layout.name, key: key)
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

  private func objects(_ found: (Int64, Int64), of index: StoreIndex) throws -> [ObjectID] {
    let rows = try connection.rows(
      """
      SELECT Z_ENT, Z_PK FROM main.\(index.table) WHERE Z_PK IN (\(found.0), \(found.1))
      ORDER BY Z_PK
      """)
    return rows.compactMap { id($0[0], $0[1]) }
  }

  package static let refused = "cannot keep a uniqueness constraint of the new model"

  private static func refusal(_ index: StoreIndex, _ found: (Int64, Int64)) -> Failure {
    let entity = if case .uniqueness(let entity) = index.purpose { entity } else { index.table }
    let columns = index.parts.map(\.column).joined(separator: ", ")
    return Failure(
      .unusable, what: refused,
      subject: "entity \(entity), \(columns)",
      why: "The objects with Z_PK \(found.0) and \(found.1) have the same values.",
      remedy: "Leave one of them out, change it by a script, or take the constraint away; the "
        + "stage validate names all of them.")
  }
}
