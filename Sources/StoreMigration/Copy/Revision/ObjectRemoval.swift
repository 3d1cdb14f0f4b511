internal import CoreDataStore
internal import SQLite

// Taking objects out of a store that is being built.

extension RevisedObjects {
  /// Takes an object out; nothing leads to it afterwards.
  ///
  /// What its own links lead to stays, whatever the model's delete rules say.
  ///
  /// - Throws: ``Failure`` when it is not there.
  package func delete(_ object: ObjectID) throws {
    guard try copy.targetReader.has(object) else {
      throw copy.missing(object, in: "new store")
    }
    try checkMayGo(object)
    for relationship in try stored(object.entity) {
      try copy.connect(object, relationship.name, [])
    }
    for way in try oneWays(to: object.entity) { try forget(object, way) }
    let layout = try builder.targetLayout(object.entity)
    try builder.telling(
      "cannot take an object out", "entity \(object.entity), Z_PK \(object.key)"
    ) {
      try builder.connection.run(
        "DELETE FROM \(copy.table(layout)) WHERE Z_PK = ?1", [.integer(object.key)])
      try builder.connection.run(
        "DELETE FROM main.\(BuilderTables.objects) WHERE entity = ?1 AND object = ?2",
        [.integer(Int64(layout.number)), .integer(object.key)])
      try builder.connection.run(
        "DELETE FROM main.\(BuilderTables.merged) WHERE entity = ?1 AND object = ?2",
        [.integer(Int64(layout.number)), .integer(object.key)])
    }
  }

  /// Lets another object take the place of one, which is taken out.
  ///
  /// Its links are added to those of the other, unless a relationship to one object leads somewhere
  /// already, and what led to it leads to the other.
  ///
  /// - Throws: ``Failure`` when either is not there, or they are the same.
  package func merge(_ object: ObjectID, into other: ObjectID) throws {
    guard object != other, try copy.targetReader.has(object) else {
      throw copy.missing(object, in: "new store")
    }
    guard try copy.targetReader.has(other) else { throw copy.missing(other, in: "new store") }
    try checkMayGo(object)
    let names = try Set(stored(other.entity).map(\.name))
    for relationship in try stored(object.entity) where names.contains(relationship.name) {
      try move(relationship, from: object, to: other)
    }
    if try builder.targetLayout(object.entity).table
      == builder.targetLayout(other.entity).table
    {
      for way in try oneWays(to: object.entity) { try lead(way, from: object, to: other) }
    }
    try note(object, mergedInto: other)
    try delete(object)
  }

  /// Notes what took the place of the source's objects that an object came of.
  private func note(_ object: ObjectID, mergedInto other: ObjectID) throws {
    let ids: [Value] = try [
      number(of: object), .integer(object.key), number(of: other), .integer(other.key),
    ]
    let merged = "main.\(BuilderTables.merged)"
    try run(
      object, "UPDATE \(merged) SET entity = ?3, object = ?4 WHERE entity = ?1 AND object = ?2", ids
    )
    try run(
      object,
      """
      INSERT INTO \(merged) SELECT source_entity, source, ?3, ?4, place
      FROM main.\(BuilderTables.objects) WHERE entity = ?1 AND object = ?2
      """, ids)
    for origin in builder.mapping.objects(into: object.entity) where origin.keys == .kept {
      let layout = try builder.sourceLayout(origin.source)
      try run(
        object,
        """
        INSERT INTO \(merged) SELECT Z_ENT, Z_PK, ?2, ?3, 0
        FROM \(Identifier.quoted(layout.table, in: "source"))
        WHERE Z_PK = ?1 AND Z_ENT = \(layout.number)
        """, Array(ids.dropFirst()))
    }
  }

  private func stored(_ entity: String) throws -> [Relationship] {
    let layout = try builder.targetLayout(entity)
    let model = builder.targetSchema.model
    return model.entity(named: entity).map(model.allRelationships)?.filter { relationship in
      switch layout[relationship.name] {
      case .toOne, .toMany, .manyToMany: true
      default: false
      }
    } ?? []
  }

  /// Gives what a relationship leads to to the other object.
  ///
  /// It costs the links of the one that goes: of the one that stays there may be as many as have
  /// been moved before, and to read these each time would take the square of all.
  private func move(
    _ relationship: Relationship, from object: ObjectID, to other: ObjectID
  ) throws {
    let name = relationship.name
    // A link between the two would lead from the one that stays to itself.
    let both: Set = [object, other]
    let more = try copy.destinations(name, ofTarget: object).filter { !both.contains($0) }
    switch try builder.targetLayout(other.entity)[name] {
    case .toMany, .manyToMany: try copy.append(more, to: other, name)
    default:
      let own = try copy.destinations(name, ofTarget: other).filter { !both.contains($0) }
      if own.isEmpty, !more.isEmpty { try copy.connect(other, name, more) }
    }
    try keepPlaces(relationship, from: object, for: other)
  }

  /// In the orders that both objects stand in, or that the other one has come into, it stands where
  /// the first of them stood.
  private func keepPlaces(
    _ relationship: Relationship, from object: ObjectID, for other: ObjectID
  ) throws {
    let link = try ObjectLink(builder.targetSchema, object, relationship.name)
    guard try ObjectLink(builder.targetSchema, other, relationship.name).storage == link.storage
    else { return }
    switch (link.storage, link.inverse) {
    case (.manyToMany, .manyToMany(let back)?): try keepPlaces(back, from: object, for: other)
    case (.toOne(let storage), _):
      guard let position = storage.position?.name else { return }
      try keepPlace(link.owner.table, storage.key.name, position, from: object, for: other)
    default: return
    }
  }

  /// The orders of those that lead to both by a table of pairs.
  private func keepPlaces(
    _ storage: JoinStorage, from object: ObjectID, for other: ObjectID
  ) throws {
    guard let position = storage.position.map({ Identifier.quoted($0) }) else { return }
    let (owner, member) = (
      Identifier.quoted(storage.source), Identifier.quoted(storage.destination)
    )
    let table = quoted(storage.table)
    let places = """
      SELECT o.\(position) FROM \(table) AS o WHERE o.\(owner) = t.\(owner) AND o.\(member) = ?1
      """
    // "The left table of a CROSS JOIN will always be in an outer loop relative to the right table"
    // (SQLite, The Query Optimizer): what leads to the object is gone through, and not what leads
    // to the other one.
    try run(
      object,
      """
      UPDATE \(table) AS t SET \(position) = min(ifnull(\(position), (\(places))), (\(places)))
      WHERE t.rowid IN (SELECT n.rowid FROM \(table) AS o CROSS JOIN \(table) AS n
      WHERE n.\(owner) = o.\(owner) AND n.\(member) = ?2
      AND o.\(member) = ?1 AND o.\(position) IS NOT NULL)
      """, [.integer(object.key), .integer(other.key)])
  }

  /// The order of the one owner that both rows name.
  private func keepPlace(
    _ table: String, _ key: String, _ position: String, from object: ObjectID,
    for other: ObjectID
  ) throws {
    let (key, position) = (Identifier.quoted(key), Identifier.quoted(position))
    let place = """
      SELECT o.\(position) FROM \(quoted(table)) AS o WHERE o.Z_PK = ?1 AND o.\(key) = t.\(key)
      """
    try run(
      object,
      """
      UPDATE \(quoted(table)) AS t
      SET \(position) = min(ifnull(\(position), (\(place))), (\(place)))
      WHERE Z_PK = ?2 AND (\(place)) IS NOT NULL
      """, [.integer(object.key), .integer(other.key)])
  }
}

// Relationships that nothing leads back from.
extension RevisedObjects {
  /// A relationship without an inverse, and what stands for it.
  private struct OneWay {
    let owner: EntityLayout
    let storage: PropertyStorage
  }

  /// Those that may lead to objects of an entity.
  private func oneWays(to entity: String) throws -> [OneWay] {
    let model = builder.targetSchema.model
    guard let found = model.entity(named: entity) else { return [] }
    let lineage = Set(model.lineage(of: found).map(\.name))
    return try model.entities.flatMap { owner in
      let layout = try builder.targetLayout(owner.name)
      return owner.relationships.compactMap { relationship -> OneWay? in
        guard model.inverse(of: relationship) == nil, lineage.contains(relationship.destination),
          let storage = layout[relationship.name]
        else { return nil }
        return OneWay(owner: layout, storage: storage)
      }
    }
  }

  private func forget(_ object: ObjectID, _ way: OneWay) throws {
    switch way.storage {
    case .toOne(let storage): try point(way, storage, from: object, to: nil)
    case .manyToMany(let storage):
      try copy.indexes.want([storage.destination], of: storage.table)
      try run(
        object,
        """
        DELETE FROM \(quoted(storage.table)) WHERE \(Identifier.quoted(storage.destination)) = ?1
        """, [.integer(object.key)])
    // A to-many without an inverse is in the object's own row.
    case .toMany, .attribute, .notStored: return
    }
  }

  private func lead(_ way: OneWay, from object: ObjectID, to other: ObjectID) throws {
    let keys = [Value.integer(object.key), .integer(other.key)]
    let isOfBoth = try way.owner.table == builder.targetLayout(other.entity).table
    // A link between the two would lead from the one that stays to itself.
    func unlessBetween(_ owner: String) -> String { isOfBoth ? "AND \(owner) <> ?2" : "" }
    if isOfBoth { try cut(way, from: object, other) }
    switch way.storage {
    case .toOne(let storage): try point(way, storage, from: object, to: other)
    case .manyToMany(let storage):
      try copy.indexes.want([storage.destination], of: storage.table)
      let column = Identifier.quoted(storage.destination)
      // A pair that is there already cannot be there twice; the old one goes with the object.
      try run(
        object,
        """
        UPDATE OR IGNORE \(quoted(storage.table)) SET \(column) = ?2 WHERE \(column) = ?1
        \(unlessBetween(Identifier.quoted(storage.source)))
        """, keys)
      try keepPlaces(storage, from: object, for: other)
    case .toMany(let storage):
      let column = Identifier.quoted(storage.key.name)
      let table = quoted(storage.table)
      try run(
        object,
        """
        UPDATE \(table) SET \(column) = (SELECT o.\(column) FROM \(table) AS o
        WHERE o.Z_PK = ?1 \(unlessBetween("o.\(column)"))) WHERE Z_PK = ?2 AND \(column) IS NULL
        """, keys)
      guard let position = storage.position?.name else { return }
      try keepPlace(storage.table, storage.key.name, position, from: object, for: other)
    case .attribute, .notStored: return
    }
  }

  /// Empties the column of an object that stays, where it names the one that goes.
  private func cut(_ way: OneWay, from object: ObjectID, _ other: ObjectID) throws {
    let table: String
    let columns: [StoreColumn?]
    switch way.storage {
    case .toOne(let storage):
      table = way.owner.table
      columns = [storage.key, storage.entity]
    case .toMany(let storage):
      table = storage.table
      columns = [storage.key, storage.position]
    case .manyToMany, .attribute, .notStored: return
    }
    let names = columns.compactMap(\.self).map { Identifier.quoted($0.name) }
    let list = names.map { "\($0) = NULL" }.joined(separator: ", ")
    try run(
      object, "UPDATE \(quoted(table)) SET \(list) WHERE Z_PK = ?2 AND \(names[0]) = ?1",
      [.integer(object.key), .integer(other.key)])
  }

  private func point(
    _ way: OneWay, _ storage: ToOneStorage, from object: ObjectID, to other: ObjectID?
  ) throws {
    try copy.indexes.want([storage.key.name], of: way.owner.table)
    let key = Identifier.quoted(storage.key.name)
    var changes = ["\(key) = ?2"]
    var values = [Value.integer(object.key), other.map { .integer($0.key) } ?? .null]
    if let entity = storage.entity {
      changes.append("\(Identifier.quoted(entity.name)) = ?3")
      values.append(try other.map { try number(of: $0) } ?? .null)
    }
    try run(
      object,
      """
      UPDATE \(copy.table(way.owner)) SET \(changes.joined(separator: ", ")) WHERE \(key) = ?1
      """, values)
  }

  private func number(of object: ObjectID) throws -> Value {
    .integer(Int64(try builder.targetLayout(object.entity).number))
  }

  private func quoted(_ table: String) -> String { Identifier.quoted(table, in: "main") }

  private func run(_ object: ObjectID, _ sql: String, _ values: [Value]) throws {
    try builder.telling(
      "cannot take an object out", "entity \(object.entity), Z_PK \(object.key)"
    ) {
      _ = try builder.connection.run(sql, values)
    }
  }
}
