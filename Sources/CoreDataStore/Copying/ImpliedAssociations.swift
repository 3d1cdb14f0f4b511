internal import SQLite

// Which object became which, where the keys say it and nothing has to be noted.

extension Construction {
  /// The mapping by which each object of a source entity becomes one that has its key; nil where a
  /// script makes the objects, or where they get new keys.
  func impliedMapping(of entity: String) -> ObjectMapping? {
    guard let object = mapping.objects(from: entity), object.keys == .kept, !object.isAbstract,
      mapping.fate(of: entity) != .scripted
    else { return nil }
    return object
  }

  /// The object of the target that has the key of one of the source, when it is there.
  func impliedDestination(of source: ObjectID) throws -> ObjectID? {
    guard let object = impliedMapping(of: source.entity) else { return nil }
    let layout = try targetLayout(object.target)
    let isThere = try connection.integer(
      """
      SELECT 1 FROM \(Identifier.quoted(layout.table, in: "main"))
      WHERE Z_PK = ?1 AND Z_ENT = \(layout.number)
      """, [.integer(source.key)])
    return isThere.map { _ in ObjectID(entity: object.target, key: source.key) }
  }

  /// The objects of the source that have the key of one of the target and became it.
  func impliedSources(of object: ObjectID) throws -> [ObjectID] {
    try mapping.objects(into: object.entity).filter { impliedMapping(of: $0.source) == $0 }
      .compactMap { from in
        let layout = try sourceLayout(from.source)
        let isThere = try connection.integer(
          """
          SELECT 1 FROM \(Identifier.quoted(layout.table, in: "source"))
          WHERE Z_PK = ?1 AND Z_ENT = \(layout.number)
          """, [.integer(object.key)])
        return isThere.map { _ in ObjectID(entity: from.source, key: object.key) }
      }
  }
}
