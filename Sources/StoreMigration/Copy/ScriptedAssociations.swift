internal import CoreDataStore
internal import SQLite

// Which objects of the target came of which of the source.

extension ScriptedCopy {
  /// The objects that were made of one of the source, in the order in which they were made.
  ///
  /// What has its old key, and is not made by a script, has no association on disk: its key tells.
  package func destinations(of source: ObjectID) throws -> [ObjectID] {
    let number = try construction.sourceLayout(source.entity).number
    let noted = try telling(source) {
      try construction.connection.rows(
        """
        SELECT entity, object FROM main.\(ConstructionTables.objects)
        WHERE source_entity = ?1 AND source = ?2 ORDER BY place
        """, [.integer(Int64(number)), .integer(source.key)]
      ).compactMap { id($0, in: construction.targetSchema) }
    }
    guard noted.isEmpty, let mapping = construction.impliedMapping(of: source.entity) else {
      return noted
    }
    try unwritten.write()
    let object = ObjectID(entity: mapping.target, key: source.key)
    return try targetReader.has(object) ? [object] : []
  }

  /// The objects of the source that one of the target was made of.
  package func sources(of object: ObjectID) throws -> [ObjectID] {
    let number = try construction.targetLayout(object.entity).number
    let noted = try telling(object) {
      try construction.connection.rows(
        """
        SELECT source_entity, source FROM main.\(ConstructionTables.objects)
        WHERE entity = ?1 AND object = ?2 ORDER BY rowid
        """, [.integer(Int64(number)), .integer(object.key)]
      ).compactMap { id($0, in: construction.sourceSchema) }
    }
    guard noted.isEmpty else { return noted }
    return try construction.mapping.objects(into: object.entity)
      .filter { construction.impliedMapping(of: $0.source) == $0 }
      .map { ObjectID(entity: $0.source, key: object.key) }.filter(reader.has)
  }

  /// Lets an object that is there stand for one of the source, beside those it was made of.
  ///
  /// So several objects become one: links that led to any of them lead to it.
  package func associate(_ object: ObjectID, with source: ObjectID) throws {
    try unwritten.write()
    guard try !destinations(of: source).contains(object) else { return }
    guard try targetReader.has(object) else { throw missing(object, in: "new store") }
    try note(object, of: source)
  }

  /// Notes what an object was made of.
  func note(_ object: ObjectID, of source: ObjectID) throws {
    let (from, to) = (
      try construction.sourceLayout(source.entity).number,
      try construction.targetLayout(object.entity).number
    )
    try telling(source) {
      try construction.connection.run(
        """
        INSERT INTO main.\(ConstructionTables.objects) SELECT ?1, ?2, ?3, ?4,
        (SELECT count(*) FROM main.\(ConstructionTables.objects)
        WHERE source_entity = ?1 AND source = ?2)
        """,
        [
          .integer(Int64(from)), .integer(source.key), .integer(Int64(to)), .integer(object.key),
        ])
    }
  }

  private func id(_ row: [Value], in schema: StoreSchema) -> ObjectID? {
    guard let number = row[0].integer, let key = row[1].integer else { return nil }
    return schema.entity(number: Int(clamping: number)).map {
      ObjectID(entity: $0.name, key: key)
    }
  }
}

extension Construction {
  /// The mapping by which each object of a source entity becomes one that has its key; nil where a
  /// script makes the objects, or where they get new keys.
  func impliedMapping(of entity: String) -> ObjectMapping? {
    guard let object = mapping.objects(from: entity), object.keys == .kept, !object.isAbstract,
      mapping.fate(of: entity) != .scripted
    else { return nil }
    return object
  }
}
