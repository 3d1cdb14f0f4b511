internal import SQLite

/// A small store with some objects of each entity of another one, and with all that these lead to.
package struct SampledStore {
  private let connection: Connection
  private let schema: StoreSchema

  /// Makes the store; the other one is only read, in one transaction.
  ///
  /// - Parameters:
  ///   - path: The new file.
  ///   - source: The other store, which nobody writes, or which can be read while somebody does.
  ///   - schema: What it is made of.
  ///   - count: How many objects of each entity are wanted; those they lead to come on top.
  /// - Throws: ``StoreError``.
  package static func make(
    at path: String, of source: String, schema: StoreSchema, objects count: Int
  ) throws {
    let store = try NewStore(
      at: path, schema: schema,
      contents: try NewStoreContents(like: source, to: schema.model, cache: .none),
      durability: .off)
    do {
      try store.make(.tables)
      try store.connection.attach(source, as: "source", .readOnly)
      try SampledStore(connection: store.connection, schema: schema).fill(count)
    } catch let error as SQLiteError {
      throw StoreError(error, what: "cannot take a sample of the store", subject: source)
    }
    try store.close()
  }

  private func fill(_ count: Int) throws {
    try connection.transaction {
      for layout in schema.entities where !layout.isAbstract {
        let keys = SampledKeys(count, of: layout, in: "source").sql
        try copy(layout.table, where: "Z_PK IN (\(keys))")
      }
      // Each pass brings what the last one's objects lead to, until they lead to nothing new.
      while try follow() > 0 {}
      for table in schema.joinTables { try copy(table) }
      try connection.run(
        """
        UPDATE main.Z_PRIMARYKEY AS t SET Z_MAX = s.Z_MAX FROM source.Z_PRIMARYKEY AS s
        WHERE s.Z_ENT = t.Z_ENT
        """, [])
    }
  }

  @discardableResult
  private func copy(_ name: String, where condition: String) throws -> Int {
    guard let table = schema.table(named: name) else { return 0 }
    let columns = table.columns.map { Identifier.quoted($0.name) }.joined(separator: ", ")
    return try connection.run(
      """
      INSERT OR IGNORE INTO main.\(Identifier.quoted(name)) (\(columns))
      SELECT \(columns) FROM \(Identifier.quoted(name, in: "source")) WHERE \(condition)
      """, [])
  }

  /// Brings the objects that links in the rows there are lead to; gives back how many are new.
  private func follow() throws -> Int {
    var count = 0
    for table in schema.tables {
      for column in table.columns {
        guard let destination = destination(of: column) else { continue }
        let (name, key) = (Identifier.quoted(table.name), Identifier.quoted(column.name))
        count += try copy(
          destination,
          where: """
            Z_PK IN (SELECT \(key) FROM main.\(name) WHERE \(key) IS NOT NULL)
            AND Z_PK NOT IN (SELECT Z_PK FROM main.\(Identifier.quoted(destination)))
            """)
      }
    }
    return count
  }

  /// The table that the keys of a column are of; nil for other columns.
  private func destination(of column: StoreColumn) -> String? {
    switch column.role {
    case .toOne(let reference):
      schema.model.relationship(reference.property, ofEntity: reference.entity)
        .flatMap { schema.entity(named: $0.destination) }?.table
    case .owner(let reference): schema.entity(named: reference.entity)?.table
    default: nil
    }
  }

  /// The pairs of which both objects are there.
  private func copy(_ table: JoinTable) throws {
    guard let first = schema.entity(named: table.master.entity)?.table,
      let second = schema.model.relationship(table.master.property, ofEntity: table.master.entity)
        .flatMap({ schema.entity(named: $0.destination) })?.table
    else { return }
    let columns = table.columns.map { Identifier.quoted($0) }.joined(separator: ", ")
    let name = Identifier.quoted(table.name)
    try connection.run(
      """
      INSERT OR IGNORE INTO main.\(name) (\(columns))
      SELECT \(columns) FROM \(Identifier.quoted(table.name, in: "source"))
      WHERE \(Identifier.quoted(table.first)) IN (SELECT Z_PK FROM main.\(Identifier.quoted(first)))
      AND \(Identifier.quoted(table.second)) IN (SELECT Z_PK FROM main.\(Identifier.quoted(second)))
      """, [])
  }
}
