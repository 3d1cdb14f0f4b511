package import CoreDataStore
internal import OperatingSystem
internal import SQLite
internal import StoreReplacement

/// The associations of old and new objects, kept in a file of their own when the store is finished:
/// which of the source's objects an object came from, where keys do not say it.
package enum KeptAssociations {
  private static let schema = "kept"

  /// Writes them; without any there is no file.
  static func keep(of builder: StoreBuilder, at path: String) throws {
    let connection = builder.connection
    let (table, merged) = (BuilderTables.objects, BuilderTables.merged)
    try StagedFile.remove(path)
    let isThere = try [table, merged].contains {
      try connection.integer("SELECT 1 FROM main.\($0) LIMIT 1") != nil
    }
    guard isThere else { return }
    var mode = OpenMode.own(create: true)
    mode.durability = .off
    let file = try Connection(path: path, mode: mode)
    try file.execute(Self.tables(in: "main"))
    try file.close()
    try connection.attach(path, as: schema, .readWrite)
    try connection.execute("PRAGMA \(schema).synchronous = OFF")
    for name in [table, merged] {
      try connection.execute("INSERT INTO \(schema).\(name) SELECT * FROM main.\(name)")
    }
    try connection.execute(indexes(in: schema))
    try connection.detach(schema)
    // Once for all: what a power cut or a kill leaves before is removed and made again, for the new
    // store has the tables until this is done.
    try replacing("cannot finish the new store", path) {
      try FileSystem.sync(path)
      try FileSystem.sync(folderOf: path)
    }
  }

  /// Whether two files say the same, so that what was made a second time has the keys that it had;
  /// nil for a file that is not there, because keys say it all.
  package static func areSame(_ first: String?, _ second: String?) throws -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    do {
      let connection = try Connection(inMemory: .own)
      defer { try? connection.close() }
      try connection.attach(first, as: "one", .readOnly)
      try connection.attach(second, as: "two", .readOnly)
      // A file of an earlier version of the library does not say what was merged.
      let tables = try [BuilderTables.objects, BuilderTables.merged].filter { table in
        try ["one", "two"].allSatisfy { try Schema(of: connection, $0).table(table) != nil }
      }
      let columns = "source_entity, source, entity, object"
      return try tables.allSatisfy { table in
        try [("one", "two"), ("two", "one")].allSatisfy { database, other in
          try connection.integer(
            """
            SELECT 1 FROM (SELECT \(columns) FROM \(database).\(table)
            EXCEPT SELECT \(columns) FROM \(other).\(table)) LIMIT 1
            """) == nil
        }
      }
    } catch let error as SQLiteError {
      throw Failure(error, what: "cannot compare what was kept of the run", subject: first)
    }
  }

  /// The object of a step's source that each of some objects of its store came from, the first of
  /// several; those of which the file says nothing are missing.
  package static func sources(
    of objects: Set<ObjectID>, in path: String, from source: StoreSchema, to target: StoreSchema
  ) throws -> [ObjectID: ObjectID] {
    try replacing("cannot find out which object came from which", path) {
      () throws -> [ObjectID: ObjectID] in
      guard try FileEntry.at(path) != nil else { return [:] }
      let connection = try Connection(inMemory: .own)
      defer { try? connection.close() }
      try connection.attach(path, as: schema, .readOnly)
      var found: [ObjectID: ObjectID] = [:]
      for object in objects {
        guard let number = target.entity(named: object.entity)?.number else { continue }
        let row = try connection.rows(
          """
          SELECT source_entity, source FROM \(schema).\(BuilderTables.objects)
          WHERE entity = ?1 AND object = ?2 ORDER BY rowid LIMIT 1
          """, [.integer(Int64(number)), .integer(object.key)]
        ).first
        guard let entity = row?[0].integer, let key = row?[1].integer,
          let origin = source.entity(number: Int(clamping: entity))
        else { continue }
        found[object] = ObjectID(entity: origin.name, key: key)
      }
      return found
    }
  }

  /// Whether a file has noted objects that took the place of others; one of an earlier version of
  /// the library has no table for it.
  static func hasMerged(_ connection: Connection, in database: String) throws(SQLiteError) -> Bool {
    let table = BuilderTables.merged
    guard try Schema(of: connection, database).table(table) != nil else { return false }
    return try connection.integer("SELECT 1 FROM \(database).\(table) LIMIT 1") == 1
  }

  /// The statements that make the tables in a database of this name.
  static func tables(in database: String) -> String {
    """
    CREATE TABLE \(database).\(BuilderTables.objects) (source_entity INTEGER,
    source INTEGER, entity INTEGER, object INTEGER, place INTEGER);
    CREATE TABLE \(database).\(BuilderTables.merged) (source_entity INTEGER,
    source INTEGER, entity INTEGER, object INTEGER, place INTEGER)
    """
  }

  /// The statements that make the tables' indexes in a database of this name.
  static func indexes(in database: String) -> String {
    let (table, merged) = (BuilderTables.objects, BuilderTables.merged)
    return """
      CREATE INDEX \(database).\(table)_source ON \(table) (source_entity, source, entity, object);
      CREATE INDEX \(database).\(table)_object ON \(table) (entity, object, source_entity, source);
      CREATE INDEX \(database).\(merged)_source ON \(merged) (source_entity, source)
      """
  }
}
