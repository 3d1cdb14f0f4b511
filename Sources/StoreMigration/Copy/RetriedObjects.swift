internal import CoreDataStore
internal import SQLite

// What a retry has made in a store, so that the next step can be given it.
extension ScriptedCopy {
  /// Whether the new store has this object.
  package func has(_ object: ObjectID) throws -> Bool { try targetReader.has(object) }

  /// The object that one of the source becomes under its own key; nil where it gets another one.
  package func namesake(of source: ObjectID) -> ObjectID? {
    guard let mapping = builder.mapping.objects(from: source.entity), mapping.keys == .kept,
      !mapping.isAbstract
    else { return nil }
    return ObjectID(entity: mapping.target, key: source.key)
  }

  /// The objects of the new store that got keys of their own in the retry.
  package func madeAnew() throws -> [ObjectID] {
    let schema = builder.targetSchema
    return try builder.telling("cannot read the objects", builder.path) {
      try schema.tables.flatMap { table in
        try builder.connection.rows(
          """
          SELECT Z_ENT, Z_PK FROM main.\(Identifier.quoted(table.name)) WHERE Z_PK >
          (SELECT start FROM main.\(BuilderTables.earlierKeys) WHERE Z_ENT = ?1) ORDER BY 2
          """, [.integer(Int64(builder.targetLayout(table.root).number))]
        ).compactMap { row in
          guard let number = row[0].integer, let key = row[1].integer else { return nil }
          return schema.entity(number: Int(clamping: number)).map {
            ObjectID(entity: $0.name, key: key)
          }
        }
      }
    }
  }
}
