internal import CoreDataStore
internal import SQLite

// Which objects of the target came of which of the source.

extension ScriptedCopy {
  /// The objects that were made from one of the source, in the order in which they were made; in a
  /// retry those that they have been merged into, and none that an application has deleted since.
  ///
  /// What has its old key, and is not made by a script, has no association on disk: its key shows
  /// its source.
  package func destinations(of source: ObjectID) throws -> [ObjectID] {
    let noted = try destinations(ofGone: source)
    guard builder.isRefilled else { return noted }
    try unwritten.write()
    return try noted.filter(targetReader.has)
  }

  /// The same, those that are not there any more among them.
  func destinations(ofGone source: ObjectID) throws -> [ObjectID] {
    let number = try builder.sourceLayout(source.entity).number
    // In a run scripts are done when stages merge objects.
    let tables = [BuilderTables.objects] + (builder.isRefilled ? [BuilderTables.merged] : [])
    let rows = tables.map { table in
      """
      SELECT entity, object, place FROM main.\(table)
      WHERE source_entity = ?1 AND source = ?2
      """
    }
    let noted = try telling(source) {
      try builder.connection.rows(
        "\(rows.joined(separator: " UNION ALL ")) ORDER BY place",
        [.integer(Int64(number)), .integer(source.key)]
      ).compactMap { id($0, in: builder.targetSchema) }
    }
    guard noted.isEmpty, let mapping = builder.impliedMapping(of: source.entity) else {
      return noted
    }
    try unwritten.write()
    let object = ObjectID(entity: mapping.target, key: source.key)
    return try targetReader.has(object) ? [object] : []
  }

  /// The objects of the source that one of the target was made from.
  package func sources(of object: ObjectID) throws -> [ObjectID] {
    let number = try builder.targetLayout(object.entity).number
    let noted = try telling(object) {
      try builder.connection.rows(
        """
        SELECT source_entity, source FROM main.\(BuilderTables.objects)
        WHERE entity = ?1 AND object = ?2 ORDER BY rowid
        """, [.integer(Int64(number)), .integer(object.key)]
      ).compactMap { id($0, in: builder.sourceSchema) }
    }
    guard noted.isEmpty else { return noted }
    return try builder.mapping.objects(into: object.entity)
      .filter { builder.impliedMapping(of: $0.source) == $0 }
      .map { ObjectID(entity: $0.source, key: object.key) }.filter(reader.has)
  }

  /// Lets an object that is there stand for one more of the source, besides those it was made from.
  ///
  /// So several objects become one: links that led to any of them lead to it.
  package func associate(_ object: ObjectID, with source: ObjectID) throws {
    try unwritten.write()
    guard try !destinations(of: source).contains(object) else { return }
    guard try targetReader.has(object) else { throw missing(object, in: "new store") }
    try note(object, of: source)
  }

  /// Notes what an object was made from.
  func note(_ object: ObjectID, of source: ObjectID) throws {
    let (from, to) = (
      try builder.sourceLayout(source.entity).number,
      try builder.targetLayout(object.entity).number
    )
    try telling(source) {
      try builder.connection.run(
        """
        INSERT INTO main.\(BuilderTables.objects) SELECT ?1, ?2, ?3, ?4,
        (SELECT count(*) FROM main.\(BuilderTables.objects)
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

extension StorePair {
  /// The mapping by which each object of a source entity becomes one that has its key; nil where a
  /// script makes the objects, or where they get new keys.
  func impliedMapping(of entity: String) -> ObjectMapping? {
    guard let object = mapping.objects(from: entity), object.keys == .kept, !object.isAbstract,
      mapping.fate(of: entity) != .scripted
    else { return nil }
    return object
  }
}
