package import CoreDataStore
internal import SQLite

/// Some objects of one entity, chosen by a condition, for a small store of these and of all that
/// they lead to.
package struct ChosenObjects {
  private let schema: StoreSchema
  private let layout: EntityLayout
  private let keys: String

  /// The first objects of an entity that meet a condition.
  ///
  /// - Throws: ``Failure`` when there is no such entity, or the condition cannot be used.
  package init(
    of entity: String, where condition: String?, limit: Int, in schema: StoreSchema
  ) throws {
    self.schema = schema
    let layout = try schema.layout(of: entity)
    self.layout = layout
    let filter = try condition.map {
      " AND (\(try ConditionSQL($0, layout: layout, model: schema.model).sql))"
    }
    keys = """
      SELECT s.Z_PK FROM \(Identifier.quoted(layout.table)) AS s
      WHERE \(layout.isOwn("s"))\(filter ?? "") ORDER BY s.Z_PK LIMIT \(limit)
      """
  }

  /// Makes a store of the chosen objects, those that their relationships lead to, and whatever
  /// these lead to by relationships to one.
  ///
  /// - Parameters:
  ///   - path: The new file.
  ///   - store: The store, whose file and folder stay as they are. It is closed for it: a file is
  ///     opened once at a time.
  /// - Returns: The objects that were chosen, by key.
  /// - Throws: ``Failure``.
  package func make(at path: String, of store: Store) throws -> [ObjectID] {
    let keys: [Int64]
    do {
      keys = try store.connection.rows(self.keys).compactMap { $0[0].integer }
      try store.connection.close()
    } catch {
      throw Failure(error, what: "cannot find objects", subject: "entity \(layout.name)")
    }
    let (source, mode) = (store.connection.path, store.connection.attachMode)
    try SampledStore.make(at: path, of: source, schema: schema, mode: mode) { sample in
      try bring(keys, to: sample)
    }
    return keys.map { ObjectID(entity: layout.name, key: $0) }
  }

  private func bring(_ keys: [Int64], to sample: SampledStore) throws {
    for key in keys {
      try sample.copy(layout.table, where: "Z_PK = \(key)")
      for property in layout.properties {
        try bring(layout[property], of: key, to: sample)
      }
    }
  }

  private func bring(
    _ storage: PropertyStorage?, of key: Int64, to sample: SampledStore
  ) throws {
    switch storage {
    case .toMany(let link):
      try sample.copy(link.table, where: "\(Identifier.quoted(link.key.name)) = \(key)")
    case .manyToMany(let link):
      guard let far = farTable(of: link) else { return }
      let other = Identifier.quoted(link.destination)
      try sample.copy(
        far,
        where: """
          Z_PK IN (SELECT \(other) FROM \(Identifier.quoted(link.table, in: "source"))
          WHERE \(Identifier.quoted(link.source)) = \(key))
          """)
    case .attribute, .toOne, .notStored, nil: return
    }
  }

  /// The table of the objects that a table of pairs leads to from here.
  private func farTable(of link: JoinStorage) -> String? {
    guard let table = schema.joinTable(named: link.table) else { return nil }
    let end = link.source == table.first ? table.master : table.inverse
    return schema.model.relationship(end.property, ofEntity: end.entity)
      .flatMap { schema.entity(named: $0.destination) }?.table
  }
}
