internal import SQLite

// Links between objects of the target.

extension ScriptedCopy {
  /// Links an object to others, in both directions.
  ///
  /// Where one object can be, the one that was there gives way, and none empties the relationship.
  /// Where many can be, the others come behind those that are there.
  package func connect(
    _ object: ObjectID, _ relationship: String, _ others: [ObjectID]
  ) throws {
    let link = try ObjectLink(construction, object, relationship)
    for other in others { try link.check(other) }
    switch link.storage {
    case .toOne(let storage):
      guard others.count <= 1 else { throw link.tooMany() }
      try connect(object, link, storage, to: others.first)
    case .toMany(let storage):
      for other in others { try connect(object, link, storage, with: other) }
    case .manyToMany(let storage):
      for other in others {
        try connect(object, link, storage, with: other)
        // A relationship that is its own inverse leads back by a row of its own.
        if link.isReflexive, other != object { try connect(other, link, storage, with: object) }
      }
    case .attribute, .notStored: throw link.unknown()
    }
  }

  private func connect(
    _ object: ObjectID, _ link: ObjectLink, _ storage: ToOneStorage, to other: ObjectID?
  ) throws {
    if case .toOne(let back)? = link.inverse {
      if let old = try partner(of: object, storage, link.destination) {
        try point(old, back, to: nil)
      }
      if let other {
        if let old = try partner(of: other, back, link.owner.name) {
          try point(old, storage, to: nil)
        }
        try point(other, back, to: object)
      }
    }
    try point(object, storage, to: other)
  }

  private func connect(
    _ object: ObjectID, _ link: ObjectLink, _ storage: ToManyStorage, with other: ObjectID
  ) throws {
    if case .toOne(let back)? = link.inverse {
      try point(other, back, to: object)
      return
    }
    // Without an inverse the column is there for this relationship alone.
    var columns: [(column: String, value: Value)] = [(storage.key.name, .integer(object.key))]
    if let position = storage.position {
      let next = try nextPosition(position.name, storage.table, storage.key.name, object)
      columns.append((position.name, .integer(next)))
    }
    try update(other, try construction.targetLayout(other.entity), columns)
  }

  private func connect(
    _ object: ObjectID, _ link: ObjectLink, _ storage: JoinStorage, with other: ObjectID
  ) throws {
    var columns = [storage.source, storage.destination]
    var values = [object.key, other.key]
    if let position = storage.position {
      columns.append(position)
      values.append(try nextPosition(position, storage.table, storage.source, object))
    }
    if case .manyToMany(let back)? = link.inverse, let position = back.position,
      !columns.contains(position)
    {
      columns.append(position)
      values.append(try nextPosition(position, back.table, back.source, other))
    }
    let names = columns.map { Identifier.quoted($0) }.joined(separator: ", ")
    let parameters = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    try telling(object) {
      try construction.connection.run(
        """
        INSERT OR IGNORE INTO \(Identifier.quoted(storage.table, in: "main")) (\(names))
        VALUES (\(parameters))
        """, values.map(Value.integer))
    }
  }

  /// Lets a relationship to one object lead to another, or to none.
  private func point(_ object: ObjectID, _ storage: ToOneStorage, to other: ObjectID?) throws {
    var columns: [(column: String, value: Value)] = []
    columns.append((storage.key.name, other.map { .integer($0.key) } ?? .null))
    if let entity = storage.entity {
      let number = try other.map { try construction.targetLayout($0.entity).number }
      columns.append((entity.name, number.map { .integer(Int64($0)) } ?? .null))
    }
    let layout = try construction.targetLayout(object.entity)
    if let position = storage.position {
      let next = try other.map {
        try nextPosition(position.name, layout.table, storage.key.name, $0)
      }
      columns.append((position.name, next.map(Value.integer) ?? .null))
    }
    try update(object, layout, columns)
  }

  /// The object that a relationship to one leads to at the moment.
  private func partner(
    of object: ObjectID, _ storage: ToOneStorage, _ destination: String
  ) throws -> ObjectID? {
    let layout = try construction.targetLayout(object.entity)
    let far = try construction.targetLayout(destination)
    return try telling(object) {
      let found = try construction.connection.rows(
        """
        SELECT d.Z_ENT, d.Z_PK FROM \(table(layout)) AS o JOIN \(table(far)) AS d
        ON d.Z_PK = o.\(Identifier.quoted(storage.key.name)) WHERE o.Z_PK = ?1
        """, [.integer(object.key)])
      guard let row = found.first, let number = row[0].integer, let key = row[1].integer,
        let entity = construction.targetSchema.entity(number: Int(clamping: number))
      else { return nil }
      return ObjectID(entity: entity.name, key: key)
    }
  }

  /// The place behind those that are taken: "2048, 3072, 4096, ..." are Core Data's.
  private func nextPosition(
    _ position: String, _ table: String, _ key: String, _ owner: ObjectID
  ) throws -> Int64 {
    try telling(owner) {
      let last = try construction.connection.integer(
        """
        SELECT max(\(Identifier.quoted(position))) FROM \(Identifier.quoted(table, in: "main"))
        WHERE \(Identifier.quoted(key)) = ?1
        """, [.integer(owner.key)])
      return last.map { $0 + 1024 } ?? 2048
    }
  }
}
