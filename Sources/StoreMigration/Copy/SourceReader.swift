internal import CoreDataStore
internal import SQLite

/// Reads values and links of single objects, of the source or of the target.
final class SourceReader {
  private let connection: Connection
  private let schema: StoreSchema
  /// The name under which the connection knows the store.
  private let database: String
  /// The row that a statement stands on, whose values need no search.
  private var current: (id: ObjectID, statement: Statement, columns: [String: Int])?
  /// The values that are staged, where this reads a twin.
  private let staged: StagedValues?
  /// Where values lie, by attributes that were asked for before: the models are asked once.
  private var places: [PropertyReference: (table: String, column: StoredColumn)] = [:]

  /// A column and how values lie in it.
  private struct StoredColumn {
    let name: String
    let storage: AttributeStorage
  }

  /// Reads objects of a store that the connection knows by a name.
  init(
    _ connection: Connection, _ schema: StoreSchema, in database: String = "main",
    staged: StagedValues? = nil
  ) {
    (self.connection, self.schema, self.database) = (connection, schema, database)
    self.staged = staged
  }

  /// Reads objects of the source.
  convenience init(_ builder: StoreBuilder) {
    self.init(builder.connection, builder.sourceSchema, in: "source")
  }

  /// Reads objects of the store that is being built.
  convenience init(targetOf builder: StoreBuilder) {
    self.init(builder.connection, builder.targetSchema, staged: builder.stagedValues)
  }

  /// Lets values be read from the row that a statement stands on.
  func stand(on id: ObjectID, of statement: Statement, _ columns: [String: Int]) {
    current = (id, statement, columns)
  }

  /// Forgets that row, before the statement moves on for good.
  func leave() { current = nil }

  /// Whether the source has this object.
  func has(_ id: ObjectID) throws -> Bool {
    let layout = try schema.layout(of: id.entity)
    return try entity(of: id.key, in: layout.table) == id.entity
  }

  func value(_ attribute: String, of id: ObjectID) throws -> AttributeValue {
    let place = try place(of: PropertyReference(id.entity, attribute))
    return place.column.storage.value(of: try stored(place.column.name, of: id, place.table))
  }

  private func place(
    of attribute: PropertyReference
  ) throws -> (table: String, column: StoredColumn) {
    if let known = places[attribute] { return known }
    let layout = try schema.layout(of: attribute.entity)
    guard let column = layout.column(named: attribute.property),
      let property = schema.model.attribute(attribute.property, ofEntity: attribute.entity)
    else { throw unknown(attribute.property, "attribute", layout) }
    let storage = AttributeStorage(of: property)
    let place = (layout.table, StoredColumn(name: column.name, storage: storage))
    places[attribute] = place
    return place
  }

  private func stored(_ column: String, of id: ObjectID, _ table: String) throws -> Value {
    try telling(id) {
      if let current, current.id == id, let index = current.columns[column] {
        return try current.statement.row.value(index)
      }
      let name = Identifier.quoted(table, in: database)
      let value =
        try connection.scalar(
          "SELECT \(Identifier.quoted(column)) FROM \(name) WHERE Z_PK = ?1", [.integer(id.key)])
        ?? .null
      let place = StagedValues.Place(table: table, column: column, key: id.key)
      return try staged?.value(value, at: place) ?? value
    }
  }

  func destinations(_ name: String, of id: ObjectID, toMany: Bool) throws -> [ObjectID] {
    let layout = try schema.layout(of: id.entity)
    guard let relationship = schema.model.relationship(name, ofEntity: id.entity),
      relationship.isToMany == toMany, let storage = layout[name],
      let far = schema.entity(named: relationship.destination)
    else { throw unknown(name, "relationship to \(toMany ? "many" : "one")", layout) }
    switch storage {
    case .toOne(let link):
      guard let key = try stored(link.key.name, of: id, layout.table).integer else { return [] }
      return try entity(of: key, in: far.table).map { [ObjectID(entity: $0, key: key)] } ?? []
    case .toMany(let link):
      return try keys(
        """
        SELECT Z_PK, Z_ENT FROM \(Identifier.quoted(link.table, in: database))
        WHERE \(Identifier.quoted(link.key.name)) = ?1
        ORDER BY \(link.position.map { "\(Identifier.quoted($0.name)), " } ?? "")Z_PK
        """, id)
    case .manyToMany(let link):
      return try keys(
        """
        SELECT d.Z_PK, d.Z_ENT FROM \(Identifier.quoted(link.table, in: database)) AS j
        JOIN \(Identifier.quoted(far.table, in: database)) AS d
        ON d.Z_PK = j.\(Identifier.quoted(link.destination))
        WHERE j.\(Identifier.quoted(link.source)) = ?1
        ORDER BY \(link.position.map { "j.\(Identifier.quoted($0)), " } ?? "")d.Z_PK
        """, id)
    case .attribute, .notStored: throw unknown(name, "stored relationship", layout)
    }
  }

  /// The objects that lead to one by a relationship.
  func owners(of id: ObjectID, by reference: PropertyReference) throws -> [ObjectID] {
    guard let owner = schema.entity(named: reference.entity),
      let storage = owner[reference.property]
    else { return [] }
    let rows = "SELECT d.Z_PK, d.Z_ENT FROM \(Identifier.quoted(owner.table, in: database)) AS d"
    switch storage {
    case .toOne(let link):
      return try keys("\(rows) WHERE d.\(Identifier.quoted(link.key.name)) = ?1", id)
    case .toMany(let link):
      let table = Identifier.quoted(link.table, in: database)
      let key = Identifier.quoted(link.key.name)
      return try keys("\(rows) WHERE d.Z_PK = (SELECT \(key) FROM \(table) WHERE Z_PK = ?1)", id)
    case .manyToMany(let link):
      return try keys(
        """
        \(rows) JOIN \(Identifier.quoted(link.table, in: database)) AS j
        ON d.Z_PK = j.\(Identifier.quoted(link.source))
        WHERE j.\(Identifier.quoted(link.destination)) = ?1
        """, id)
    case .attribute, .notStored: return []
    }
  }

  private func keys(_ sql: String, _ id: ObjectID) throws -> [ObjectID] {
    try telling(id) {
      try connection.rows(sql, [.integer(id.key)]).compactMap { row in
        guard let key = row[0].integer, let number = row[1].integer,
          let entity = schema.entity(number: Int(clamping: number))
        else { return nil }
        return ObjectID(entity: entity.name, key: key)
      }
    }
  }

  /// The entity of an object in a table, by its own Z_ENT; nil when it is not there.
  private func entity(of key: Int64, in table: String) throws -> String? {
    try telling("\(table), Z_PK \(key)") {
      let sql = "SELECT Z_ENT FROM \(Identifier.quoted(table, in: database)) WHERE Z_PK = ?1"
      let number = try connection.integer(sql, [.integer(key)])
      return number.flatMap { schema.entity(number: Int(clamping: $0))?.name }
    }
  }

  private func telling<Result>(_ id: ObjectID, _ body: () throws -> Result) throws -> Result {
    try telling("entity \(id.entity), Z_PK \(id.key)", body)
  }

  private func telling<Result>(_ subject: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot read an object", subject: subject)
    }
  }

  private func unknown(_ name: String, _ kind: String, _ layout: EntityLayout) -> Failure {
    Failure(
      .unusable, what: "cannot read a property", subject: "\(layout.name).\(name)",
      why: "\(layout.name) has no \(kind) of that name"
        + NearestName.suggestion(for: name, among: layout.properties) + ".",
      remedy: "Correct the name.")
  }
}
