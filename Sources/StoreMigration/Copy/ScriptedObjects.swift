package import CoreDataStore
internal import SQLite

// Making objects, and giving them values.

extension ScriptedCopy {
  /// Makes a target object with everything that the mapping alone would give it.
  ///
  /// Its key is the source's where the mapping keeps keys and this is the first such object. It is
  /// of the entity that the source's becomes, unless another one is named.
  package func makeDefault(_ source: SourceObject, as target: String? = nil) throws -> ObjectID {
    let maker = try maker(of: source.id.entity, target)
    try maker.target.refuseAbstract()
    let key = try key(for: source.id, maker)
    let isThere = try telling(source.id) { try maker.make(of: source.id.key, as: key) }
    guard isThere else { throw missing(source.id, in: "source") }
    let object = ObjectID(entity: maker.target.name, key: key)
    try note(object, of: source.id)
    return object
  }

  /// Makes what the mapping makes of an object that an earlier step of a retry has made; where keys
  /// say what came of what, its key has to be free.
  package func makeRetried(_ source: SourceObject) throws {
    guard builder.impliedMapping(of: source.id.entity) != nil else {
      _ = try makeDefault(source)
      return
    }
    let maker = try maker(of: source.id.entity, nil)
    guard try key(for: source.id, maker) == source.id.key else {
      throw Failure(
        .unusable, what: "cannot make an object",
        subject: "entity \(source.id.entity), Z_PK \(source.id.key)",
        why: "Another object has its key by now.",
        remedy: "Look at that object: whatever inserted it did not ask Core Data for a key.")
    }
    let isThere = try telling(source.id) { try maker.make(of: source.id.key, as: source.id.key) }
    guard isThere else { throw missing(source.id, in: "source") }
  }

  /// Makes a target object with a new key and the model's defaults.
  package func make(_ target: String, for source: SourceObject? = nil) throws -> ObjectID {
    let layout = try builder.targetLayout(target)
    try layout.refuseAbstract()
    let key = try builder.allocateKey(root: builder.root(of: layout))
    let object = ObjectID(entity: target, key: key)
    let defaults = ObjectValues.defaults(of: layout, in: builder.targetSchema)
    let own: [(column: String, value: Value)] = [
      ("Z_PK", .integer(key)), ("Z_ENT", .integer(Int64(layout.number))), ("Z_OPT", .integer(1)),
    ]
    try unwritten.add(object, layout, own + defaults)
    if let source { try note(object, of: source.id) }
    return object
  }

  /// Gives attributes of a target object their values.
  ///
  /// - Throws: ``Failure`` for a name that is not there and for a value of another type.
  package func set(_ object: ObjectID, _ values: [String: AttributeValue]) throws {
    guard !values.isEmpty else { return }
    let layout = try builder.targetLayout(object.entity)
    let stored = try values.sorted { $0.key < $1.key }.map { name, value in
      try self.values.stored(value, name, layout, object.key)
    }
    try update(object, layout, stored)
  }
}

extension ScriptedCopy {
  private func maker(of source: String, _ target: String?) throws -> DefaultObject {
    let name = "\(source) \(target ?? "")"
    if let known = makers[name] { return known }
    let maker = try DefaultObject(builder, from: source, as: target)
    makers[name] = maker
    return maker
  }

  private func key(for source: ObjectID, _ maker: DefaultObject) throws -> Int64 {
    if maker.keepsKey {
      let isTaken = try telling(source) {
        try builder.connection.integer(
          "SELECT 1 FROM \(table(maker.target)) WHERE Z_PK = ?1", [.integer(source.key)]) != nil
      }
      if !isTaken { return source.key }
    }
    return try builder.allocateKey(root: builder.root(of: maker.target))
  }
}

extension ScriptedCopy {
  /// The quoted name of an entity's table in the target.
  func table(_ layout: EntityLayout) -> String { Identifier.quoted(layout.table, in: "main") }

  /// Puts values into columns of one object.
  func update(
    _ object: ObjectID, _ layout: EntityLayout, _ columns: [(column: String, value: Value)]
  ) throws {
    if try unwritten.put(columns, into: object) { return }
    let list = columns.indices.map { "\(Identifier.quoted(columns[$0].column)) = ?\($0 + 2)" }
    let changes = try telling(object) {
      try builder.connection.run(
        "UPDATE \(table(layout)) SET \(list.joined(separator: ", ")) WHERE Z_PK = ?1",
        [.integer(object.key)] + columns.map(\.value))
    }
    guard changes == 1 else { throw missing(object, in: "new store") }
  }

  /// An object that should be there.
  func missing(_ object: ObjectID, in store: String) -> Failure {
    Failure(
      .unusable, what: "cannot use an object",
      subject: "entity \(object.entity), Z_PK \(object.key)",
      why: "The \(store) has no such object.", remedy: "Use only objects that are there.")
  }

  /// Reports an error of SQLite as one of an object.
  @discardableResult
  func telling<Result>(_ object: ObjectID, _ body: () throws -> Result) throws -> Result {
    try builder.telling(
      "cannot make an object", "entity \(object.entity), Z_PK \(object.key)", body)
  }
}

extension EntityLayout {
  /// Refuses to make an object of an entity that has none of its own.
  func refuseAbstract() throws {
    guard isAbstract else { return }
    throw Failure(
      .unusable, what: "cannot make an object", subject: "entity \(name)",
      why: "The entity is abstract: it has no objects of its own.",
      remedy: "Make an object of an entity that inherits from it.")
  }
}
