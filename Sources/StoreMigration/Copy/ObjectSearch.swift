package import CoreDataStore
internal import SQLite

// What a script may see of the store that is being built.

extension ScriptedCopy {
  /// The value of an attribute of a target object, as it stands at the moment.
  package func value(_ attribute: String, ofTarget object: ObjectID) throws -> AttributeValue {
    try unwritten.write()
    return try targetReader.value(attribute, of: object)
  }

  /// The objects that a relationship of a target object leads to at the moment.
  package func destinations(
    _ relationship: String, ofTarget object: ObjectID
  ) throws -> [ObjectID] {
    try unwritten.write()
    let model = builder.targetSchema.model
    let isToMany = model.relationship(relationship, ofEntity: object.entity)?.isToMany ?? false
    if case .toMany(let storage)? = try builder.targetLayout(object.entity)[relationship] {
      try indexes.want([storage.key.name], of: storage.table)
    }
    return try targetReader.destinations(relationship, of: object, toMany: isToMany)
  }

  /// The bytes of a value that lies in a file; the new store refers to the source's files.
  package func bytes(of reference: ExternalReference) throws -> [UInt8] {
    do {
      return try builder.external.content(of: reference)
    } catch {
      throw Failure(
        external: error, what: "cannot read an external value",
        subject: "\(builder.externalFolder)/\(reference.name)")
    }
  }

  /// The target objects of an entity, and of those that inherit from it, that meet a condition.
  package func find(
    _ entity: String, where condition: String?, limit: Int
  ) throws -> [ObjectID] {
    try unwritten.write()
    let (layout, filter) = try search(entity, condition)
    return try builder.telling("cannot find objects", "entity \(entity)") {
      try builder.connection.rows(
        "SELECT s.Z_ENT, s.Z_PK FROM \(table(layout)) AS s WHERE \(filter) ORDER BY 2 LIMIT ?1",
        [.integer(Int64(limit))]
      ).compactMap(targetID)
    }
  }

  /// How many target objects of an entity, and of those that inherit from it, meet a condition.
  package func count(_ entity: String, where condition: String?) throws -> Int {
    try unwritten.write()
    let (layout, filter) = try search(entity, condition)
    return try builder.telling("cannot count objects", "entity \(entity)") {
      let count = try builder.connection.integer(
        "SELECT count(*) FROM \(table(layout)) AS s WHERE \(filter)")
      return Int(count ?? 0)
    }
  }

  /// The target objects made from this entity's, each once, in the order in which they were made.
  ///
  /// `place` is that of the last one that was seen; nil before the first.
  package func made(
    after place: Int64?, limit: Int
  ) throws -> [(place: Int64, object: ObjectID)] {
    try builder.telling("cannot read the objects", "entity \(entity)") {
      try builder.connection.rows(
        "\(try selectionOfMade) LIMIT ?2", [.behind(place), .integer(Int64(limit))]
      ).compactMap { row in
        guard let object = targetID(row), let place = row[2].integer else { return nil }
        return (place, object)
      }
    }
  }

  /// The entity, key and place of what was made after the place ?1: by the associations, or by the
  /// keys where these say it.
  private var selectionOfMade: String {
    get throws {
      if let object = builder.impliedMapping(of: entity) {
        let layout = try builder.targetLayout(object.target)
        return """
          SELECT Z_ENT, Z_PK, Z_PK FROM \(table(layout))
          WHERE Z_ENT = \(layout.number) AND Z_PK > ?1
          \(try builder.narrowing(entity, key: "Z_PK")) ORDER BY Z_PK
          """
      }
      return """
        SELECT entity, object, rowid FROM main.\(BuilderTables.objects) AS o
        WHERE source_entity = \(try builder.sourceLayout(entity).number) AND rowid > ?1
        \(try builder.narrowing(entity, key: "source"))
        AND NOT EXISTS (SELECT 1 FROM main.\(BuilderTables.objects) AS e
        WHERE e.entity = o.entity AND e.object = o.object
        AND e.source_entity = o.source_entity AND e.rowid < o.rowid) ORDER BY rowid
        """
    }
  }

  /// An entity's table, and what holds for its objects that meet a condition, `s`.
  func search(
    _ entity: String, _ condition: String?
  ) throws -> (layout: EntityLayout, filter: String) {
    let layout = try builder.targetLayout(entity)
    let (first, last) = (layout.family.lowerBound, layout.family.upperBound)
    var filter = "s.Z_ENT BETWEEN \(first) AND \(last)"
    if let condition {
      let model = builder.targetSchema.model
      filter += " AND (\(try ConditionSQL(condition, layout: layout, model: model).sql))"
    }
    return (layout, filter)
  }

  /// The object of a row that begins with its Z_ENT and Z_PK.
  func targetID(_ row: [Value]) -> ObjectID? {
    guard let number = row[0].integer, let key = row[1].integer,
      let entity = builder.targetSchema.entity(number: Int(clamping: number))
    else { return nil }
    return ObjectID(entity: entity.name, key: key)
  }
}
