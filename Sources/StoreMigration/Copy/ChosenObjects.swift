package import CoreDataStore
internal import SQLite

/// Some objects of a few entities, chosen by a condition, for a small store of these and of all
/// that they lead to.
package struct ChosenObjects {
  private let schema: StoreSchema
  private let limit: Int
  /// The statements that find the keys, without a limit.
  private let keys: [(layout: EntityLayout, sql: String)]

  /// The first objects of the entities that meet a condition, those of the first entity first.
  ///
  /// An entity that the condition means nothing for has none, unless it means nothing for any.
  ///
  /// - Throws: ``Failure`` when there is no such entity, or the condition cannot be used.
  package init(
    of entities: [String], where condition: String?, limit: Int, in schema: StoreSchema
  ) throws {
    (self.schema, self.limit) = (schema, limit)
    var refusal: (any Error)?
    keys = try entities.compactMap { entity in
      let layout = try schema.layout(of: entity)
      do {
        let filter = try condition.map {
          " AND (\(try ConditionSQL($0, layout: layout, model: schema.model).sql))"
        }
        let sql = """
          SELECT s.Z_PK FROM \(Identifier.quoted(layout.table)) AS s
          WHERE \(layout.isOwn("s"))\(filter ?? "") ORDER BY s.Z_PK
          """
        return (layout, sql)
      } catch let error as Failure {
        refusal = refusal ?? error
        return nil
      }
    }
    if let refusal, keys.isEmpty { throw refusal }
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
    var found: [(layout: EntityLayout, key: Int64)] = []
    do {
      for (layout, sql) in keys where found.count < limit {
        found += try store.connection.rows("\(sql) LIMIT \(limit - found.count)")
          .compactMap { row in row[0].integer.map { (layout, $0) } }
      }
      try store.connection.close()
    } catch {
      let names = keys.map(\.layout.name).joined(separator: ", ")
      throw Failure(error, what: "cannot find objects", subject: "entity \(names)")
    }
    let (source, mode) = (store.connection.path, store.connection.attachMode)
    try SampledStore.make(at: path, of: source, schema: schema, mode: mode) { sample in
      try bring(found, to: sample)
    }
    return found.map { ObjectID(entity: $0.layout.name, key: $0.key) }
  }

  private func bring(
    _ objects: [(layout: EntityLayout, key: Int64)], to sample: SampledStore
  ) throws {
    for (layout, key) in objects {
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
