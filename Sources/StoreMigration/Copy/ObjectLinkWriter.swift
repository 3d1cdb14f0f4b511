internal import CoreDataStore
internal import SQLite

/// Writes what one relationship of one object of the target leads to.
struct ObjectLinkWriter {
  private let copy: ScriptedCopy
  private let object: ObjectID
  private let link: ObjectLink
  private var builder: StoreBuilder { copy.builder }

  init(_ copy: ScriptedCopy, _ object: ObjectID, _ link: ObjectLink) {
    (self.copy, self.object, self.link) = (copy, object, link)
  }

  /// Core Data's places: 2048, 3072, 4096 and so on.
  private static func position(_ place: Int) -> Int64 { 2048 + 1024 * Int64(place) }

  private func quoted(_ table: String) -> String { Identifier.quoted(table, in: "main") }
}

// One object more.
extension ObjectLinkWriter {
  /// Adds an object to what a relationship leads to, at a place in its order; `back` is this
  /// object's place in the order of that one.
  func add(_ other: ObjectID, at place: Int64?, back: Int64?) throws {
    switch link.storage {
    case .toOne(let storage):
      try set(storage, to: other)
      guard let position = storage.position else { return }
      let value = back.map(Value.integer) ?? .null
      try copy.update(object, try builder.targetLayout(object.entity), [(position.name, value)])
    case .toMany(let storage):
      var values = [(column: storage.key.name, value: Value.integer(object.key))]
      if let position = storage.position {
        values.append((position.name, place.map(Value.integer) ?? .null))
      }
      try copy.update(other, try builder.targetLayout(other.entity), values)
    case .manyToMany(let storage):
      try copy.unwritten.write()
      try add(storage, object, other, place, back: back)
      if link.isReflexive, other != object { try add(storage, other, object, back, back: place) }
    case .attribute, .notStored: throw link.unknown()
    }
  }
}

// Several objects more.
extension ObjectLinkWriter {
  /// Adds objects to what a relationship to many leads to, behind those that are there.
  ///
  /// It costs what is added, however many are there; these keep their places. It gives back those
  /// to which the relationship did not lead yet.
  func append(_ others: [ObjectID]) throws -> [ObjectID] {
    try copy.unwritten.write()
    switch link.storage {
    case .toMany(let storage):
      let position = positionColumn(of: storage)?.name
      for other in others {
        let place = try position.map {
          try nextPosition($0, storage.table, storage.key.name, object)
        }
        try take(other, storage, at: place)
      }
      return others
    case .manyToMany(let storage):
      let new = try others.filter { try !has(storage, $0) }
      for other in new {
        let place = try storage.position.map {
          try nextPosition($0, storage.table, storage.source, object)
        }
        try join(storage, other, at: place)
      }
      return new
    case .toOne, .attribute, .notStored: throw link.unknown()
    }
  }
}

// To one object.
extension ObjectLinkWriter {
  /// Lets a relationship to one lead to another object, or to none.
  func set(_ storage: ToOneStorage, to other: ObjectID?) throws {
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
    } else if storage.position != nil, let other,
      try partner(of: object, storage, link.destination) == other
    {
      // It is there already, and keeps its place.
      return
    }
    try point(object, storage, to: other)
  }

  private func point(_ object: ObjectID, _ storage: ToOneStorage, to other: ObjectID?) throws {
    var columns: [(column: String, value: Value)] = []
    columns.append((storage.key.name, other.map { .integer($0.key) } ?? .null))
    if let entity = storage.entity {
      let number = try other.map { try builder.targetLayout($0.entity).number }
      columns.append((entity.name, number.map { .integer(Int64($0)) } ?? .null))
    }
    let layout = try builder.targetLayout(object.entity)
    if let position = storage.position {
      let next = try other.map {
        try nextPosition(position.name, layout.table, storage.key.name, $0)
      }
      columns.append((position.name, next.map(Value.integer) ?? .null))
    }
    try copy.update(object, layout, columns)
  }

  /// The object that a relationship to one leads to at the moment.
  private func partner(
    of object: ObjectID, _ storage: ToOneStorage, _ destination: String
  ) throws -> ObjectID? {
    if copy.unwritten.has(object) {
      guard copy.unwritten.has(storage.key.name, of: object) else { return nil }
      try copy.unwritten.write()
    }
    let found = try row(of: object, storage, destination)
    guard let key = found?.first?.integer else { return nil }
    // What it leads to may not be written yet.
    let isThere = found?.last?.isNull == false
    if !isThere { try copy.unwritten.write() }
    let far = try isThere ? found : row(of: object, storage, destination)
    guard let number = far?.last?.integer,
      let entity = builder.targetSchema.entity(number: Int(clamping: number))
    else { return nil }
    return ObjectID(entity: entity.name, key: key)
  }

  /// The key that an object has for a relationship to one, and the Z_ENT of what has that key.
  private func row(
    of object: ObjectID, _ storage: ToOneStorage, _ destination: String
  ) throws -> [Value]? {
    let layout = try builder.targetLayout(object.entity)
    let far = try builder.targetLayout(destination)
    return try copy.telling(object) {
      let key = Identifier.quoted(storage.key.name)
      return try builder.connection.rows(
        """
        SELECT o.\(key), d.Z_ENT FROM \(copy.table(layout)) AS o
        LEFT JOIN \(copy.table(far)) AS d ON d.Z_PK = o.\(key) WHERE o.Z_PK = ?1
        """, [.integer(object.key)]
      ).first
    }
  }

  /// The place behind those that are taken.
  private func nextPosition(
    _ position: String, _ table: String, _ key: String, _ owner: ObjectID
  ) throws -> Int64 {
    try copy.unwritten.write()
    try copy.indexes.want([key, position], of: table)
    return try copy.telling(owner) {
      let last = try builder.connection.integer(
        """
        SELECT max(\(Identifier.quoted(position))) FROM \(quoted(table))
        WHERE \(Identifier.quoted(key)) = ?1
        """, [.integer(owner.key)])
      // Core Data's places are far from the highest number: one that is not shares its place.
      return last.map { $0 < Int64.max - 1024 ? $0 + 1024 : Int64.max } ?? Self.position(0)
    }
  }
}

// To many, each of which names the object.
extension ObjectLinkWriter {
  /// Lets these objects name this one, and no others.
  func set(_ storage: ToManyStorage, to others: [ObjectID]) throws {
    let position = positionColumn(of: storage)
    let before = try keys(of: storage)
    let columns = [storage.key, back?.entity, position].compactMap { $0?.name }
    let kept = Set(others.map(\.key))
    for key in before.subtracting(kept).sorted() { try empty(columns, of: key, in: storage.table) }
    for (place, other) in others.enumerated() where position != nil || !before.contains(other.key) {
      try take(other, storage, at: Self.position(place))
    }
  }

  /// Lets an object name this one, at a place if these have one.
  private func take(_ other: ObjectID, _ storage: ToManyStorage, at place: Int64?) throws {
    var values = [(column: storage.key.name, value: Value.integer(object.key))]
    if let entity = back?.entity {
      let number = Int64(try builder.targetLayout(object.entity).number)
      values.append((entity.name, .integer(number)))
    }
    if let position = positionColumn(of: storage), let place {
      values.append((position.name, .integer(place)))
    }
    try copy.update(other, try builder.targetLayout(other.entity), values)
  }

  /// The columns of the relationship that leads back.
  private var back: ToOneStorage? {
    guard case .toOne(let inverse)? = link.inverse else { return nil }
    return inverse
  }

  private func positionColumn(of storage: ToManyStorage) -> StoreColumn? {
    storage.position ?? back?.position
  }

  private func keys(of storage: ToManyStorage) throws -> Set<Int64> {
    try copy.indexes.want([storage.key.name], of: storage.table)
    return try copy.telling(object) {
      let sql = """
        SELECT Z_PK FROM \(quoted(storage.table))
        WHERE \(Identifier.quoted(storage.key.name)) = ?1
        """
      let rows = try builder.connection.rows(sql, [.integer(object.key)])
      return Set(rows.compactMap { $0[0].integer })
    }
  }

  private func empty(_ columns: [String], of key: Int64, in table: String) throws {
    let list = columns.map { "\(Identifier.quoted($0)) = NULL" }.joined(separator: ", ")
    try copy.telling(object) {
      try builder.connection.run(
        "UPDATE \(quoted(table)) SET \(list) WHERE Z_PK = ?1", [.integer(key)])
    }
  }
}

// To many that have many themselves.
extension ObjectLinkWriter {
  /// Lets the table of pairs have exactly these of the object.
  func set(_ storage: JoinStorage, to others: [ObjectID]) throws {
    let before = try keys(of: storage)
    let kept = Set(others.map(\.key))
    for key in before.subtracting(kept).sorted() {
      try unpair(storage, object.key, key)
      // A relationship that is its own inverse leads back by a row of its own.
      if link.isReflexive { try unpair(storage, key, object.key) }
    }
    for (place, other) in others.enumerated() {
      let position = storage.position == nil ? nil : Self.position(place)
      if before.contains(other.key) {
        try move(storage, other, to: position)
      } else {
        try join(storage, other, at: position)
      }
    }
  }

  /// Pairs an object with this one that it was not paired with.
  private func join(_ storage: JoinStorage, _ other: ObjectID, at place: Int64?) throws {
    try add(storage, object, other, place)
    guard link.isReflexive, other != object else { return }
    let end = try storage.position.map {
      try nextPosition($0, storage.table, storage.source, other)
    }
    try add(storage, other, object, end)
  }

  private func has(_ storage: JoinStorage, _ other: ObjectID) throws -> Bool {
    try copy.telling(object) {
      try builder.connection.integer(
        "SELECT 1 FROM \(quoted(storage.table)) WHERE \(pair(storage))",
        [.integer(object.key), .integer(other.key)]) != nil
    }
  }

  private func keys(of storage: JoinStorage) throws -> Set<Int64> {
    try copy.indexes.want(
      [storage.source, storage.position].compactMap(\.self), of: storage.table)
    return try copy.telling(object) {
      let sql = """
        SELECT \(Identifier.quoted(storage.destination)) FROM \(quoted(storage.table))
        WHERE \(Identifier.quoted(storage.source)) = ?1
        """
      let rows = try builder.connection.rows(sql, [.integer(object.key)])
      return Set(rows.compactMap { $0[0].integer })
    }
  }

  private func unpair(_ storage: JoinStorage, _ source: Int64, _ destination: Int64) throws {
    try copy.telling(object) {
      try builder.connection.run(
        "DELETE FROM \(quoted(storage.table)) WHERE \(pair(storage))",
        [.integer(source), .integer(destination)])
    }
  }

  private func move(_ storage: JoinStorage, _ other: ObjectID, to position: Int64?) throws {
    guard let column = storage.position, let position else { return }
    try copy.telling(object) {
      try builder.connection.run(
        """
        UPDATE \(quoted(storage.table)) SET \(Identifier.quoted(column)) = ?3
        WHERE \(pair(storage))
        """, [.integer(object.key), .integer(other.key), .integer(position)])
    }
  }

  private func pair(_ storage: JoinStorage) -> String {
    "\(Identifier.quoted(storage.source)) = ?1 AND \(Identifier.quoted(storage.destination)) = ?2"
  }

  private func add(
    _ storage: JoinStorage, _ object: ObjectID, _ other: ObjectID, _ position: Int64?,
    back place: Int64? = nil
  ) throws {
    var columns = [storage.source, storage.destination]
    var values = [object.key, other.key]
    if let column = storage.position, let position {
      columns.append(column)
      values.append(position)
    }
    if case .manyToMany(let back)? = link.inverse, let column = back.position,
      !columns.contains(column)
    {
      columns.append(column)
      values.append(try place ?? nextPosition(column, back.table, back.source, other))
    }
    let names = columns.map { Identifier.quoted($0) }.joined(separator: ", ")
    let parameters = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    try copy.telling(object) {
      try builder.connection.run(
        "INSERT OR IGNORE INTO \(quoted(storage.table)) (\(names)) VALUES (\(parameters))",
        values.map(Value.integer))
    }
  }
}
