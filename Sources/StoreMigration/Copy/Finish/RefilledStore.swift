package import CoreDataStore
package import Formats
internal import Foundation
internal import SQLite

/// A finished store that a retry puts further objects into: a copy of it becomes one that is being
/// built, and is finished again, with all that was in it as it was.
///
/// Its triggers stay and do not fire: a connection of ours has them switched off.
package enum RefilledStore {
  private static let what = "cannot put rejected objects into the store"

  /// Makes the copy ready for a ``StoreBuilder`` of the objects.
  ///
  /// - Parameters:
  ///   - path: The copy.
  ///   - associations: The file of the associations that the store's run has kept, if any.
  ///   - keys: The objects of the source, by the number of their entity.
  ///   - schema: The store's schema: its unique indexes go until all objects are there.
  ///   - highest: The key that new ones are above in each table.
  /// - Throws: ``Failure`` when the copy cannot be written.
  package static func open(
    _ path: String, associations: String?, keys: [Int: [Int64]], _ schema: StoreSchema,
    above highest: Int64
  ) throws {
    do {
      let connection = try Connection(path: path, mode: .own(create: false))
      defer { try? connection.close() }
      if let associations { try connection.attach(associations, as: "kept", .readOnly) }
      try connection.transaction {
        for statement in BuilderTables.sql + BuilderTables.indexes {
          try connection.execute(statement)
        }
        if associations != nil { try takeAssociations(connection) }
        try BuilderTables.note(keys.map { ($0, $1) }, as: BuilderTables.refilled, connection)
        try raiseKeys(connection, above: highest)
        try takeIndexes(connection, schema.indexes.filter(\.isUnique).map(\.name))
      }
    } catch let error as SQLiteError {
      throw Failure(error, what: what, subject: path)
    }
  }

  /// Takes over what was kept: links of the source lead to what its objects became, or what took
  /// their place.
  private static func takeAssociations(_ connection: Connection) throws(SQLiteError) {
    let (objects, merged) = (BuilderTables.objects, BuilderTables.merged)
    try connection.execute("INSERT INTO main.\(objects) SELECT * FROM kept.\(objects)")
    let schema = try Schema(of: connection, "kept")
    guard let table = schema.table(merged) else { return }
    // An earlier version of the library has not noted the places.
    let columns = try connection.columns(of: table, in: schema)
    let place = columns.contains { $0.name == "place" } ? "place" : "0"
    try connection.execute(
      """
      INSERT INTO main.\(merged) SELECT source_entity, source, entity, object, \(place)
      FROM kept.\(merged)
      """)
  }

  private static func raiseKeys(
    _ connection: Connection, above highest: Int64
  ) throws(SQLiteError) {
    try connection.run(
      """
      CREATE TABLE main.\(BuilderTables.earlierKeys) AS
      SELECT Z_ENT, Z_MAX, max(ifnull(Z_MAX, 0), \(highest)) AS start FROM main.Z_PRIMARYKEY
      """, [])
    try connection.run(
      "UPDATE main.Z_PRIMARYKEY SET Z_MAX = max(ifnull(Z_MAX, 0), ?1)", [.integer(highest)])
    try connection.execute(
      """
      CREATE TABLE main.\(BuilderTables.putIn) (entity INTEGER, object INTEGER,
      PRIMARY KEY (entity, object)) WITHOUT ROWID
      """)
  }

  private static func takeIndexes(
    _ connection: Connection, _ names: [String]
  ) throws(SQLiteError) {
    let list = names.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
    try connection.execute(
      """
      CREATE TABLE main.\(BuilderTables.earlierIndexes) AS SELECT name, sql
      FROM main.sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND name IN (\(list))
      """)
    let there = try connection.rows("SELECT name FROM main.\(BuilderTables.earlierIndexes)")
    for name in there.compactMap(\.first?.string) {
      try connection.execute("DROP INDEX \(Identifier.quoted(name, in: "main"))")
    }
  }

  /// Notes which objects a retry has put in.
  package static func note(_ objects: some Sequence<ObjectID>, in builder: StoreBuilder) throws {
    try builder.telling(what, builder.path) {
      for object in objects {
        try builder.connection.run(
          "INSERT OR IGNORE INTO main.\(BuilderTables.putIn) VALUES (?1, ?2)",
          [
            .integer(Int64(try builder.targetLayout(object.entity).number)), .integer(object.key),
          ])
      }
    }
  }

  /// Whether a retry has put an object in.
  static func isPutIn(_ object: ObjectID, in builder: StoreBuilder) throws -> Bool {
    try builder.telling(what, builder.path) {
      try builder.connection.integer(
        "SELECT count(*) FROM main.\(BuilderTables.putIn) WHERE entity = ?1 AND object = ?2",
        [.integer(Int64(try builder.targetLayout(object.entity).number)), .integer(object.key)])
        == 1
    }
  }

  /// Has values that stages take away leave nothing in the file.
  ///
  /// It is not made again as a whole:
  /// "The VACUUM command may change the ROWIDs for entries in any tables that do not have an
  /// explicit INTEGER PRIMARY KEY" (SQLite, VACUUM), and an application may have such tables.
  package static func eraseWhatGoes(in builder: StoreBuilder) throws {
    try builder.telling(what, builder.path) {
      try builder.connection.execute("PRAGMA main.secure_delete = ON")
    }
  }

  /// The objects put in that share values with another one, which no two objects may share.
  ///
  /// Those that were there before are right, and of several new ones the first.
  package static func surplus(
    in builder: StoreBuilder
  ) throws -> [(object: ObjectID, reason: String)] {
    try builder.telling(what, builder.path) {
      try UniqueValues(builder.connection, builder.targetSchema).surplus()
    }
  }

  /// The highest key that any table of a store has given out.
  package static func highestKey(in path: String) throws -> Int64 {
    do {
      let connection = try Connection(path: path, mode: .foreign)
      defer { try? connection.close() }
      return try connection.integer("SELECT max(Z_MAX) FROM Z_PRIMARYKEY") ?? 0
    } catch {
      throw Failure(error, what: what, subject: path)
    }
  }

  /// Makes the copy a whole store again and closes it; what it says of itself gets a record more.
  ///
  /// - Parameters:
  ///   - builder: The copy with its new objects and links.
  ///   - record: The record for the store's log; nil for a store on the way.
  ///   - associations: The file in which the associations are kept from now on.
  /// - Returns: What a person should know.
  /// - Throws: ``Failure`` when it cannot be written.
  package static func finish(
    _ builder: StoreBuilder, record: PropertyList?, associations: String
  ) throws -> [StoreWarning] {
    let connection = builder.connection
    let warnings = try builder.telling(what, builder.path) {
      let warnings = try connection.transaction { try fill(builder, record) }
      try KeptAssociations.keep(of: builder, at: associations)
      try connection.transaction { try restore(connection) }
      try connection.execute("PRAGMA main.journal_mode = DELETE")
      return warnings
    }
    try builder.close()
    return warnings
  }

  private static func fill(
    _ builder: StoreBuilder, _ record: PropertyList?
  ) throws -> [StoreWarning] {
    let (connection, schema) = (builder.connection, builder.targetSchema)
    // A table that got no new keys has the highest that it had.
    try connection.execute(
      """
      UPDATE main.Z_PRIMARYKEY AS p
      SET Z_MAX = (SELECT k.Z_MAX FROM main.\(BuilderTables.earlierKeys) AS k
        WHERE k.Z_ENT = p.Z_ENT)
      WHERE p.Z_MAX = (SELECT k.start FROM main.\(BuilderTables.earlierKeys) AS k
      WHERE k.Z_ENT = p.Z_ENT)
      """)
    try giveBackIndexes(builder, isOnTheWay: record == nil)
    try StoreFinish.raiseKeys(connection, schema)
    try DerivedValues(
      connection: connection, schema: schema, now: Date().timeIntervalSinceReferenceDate,
      keepsTimes: true
    ).fill()
    let unknown = UnknownDerivedValues(builder: builder)
    try unknown.keep()
    for index in schema.spatialIndexes { try connection.execute(index.fill) }
    if let record { try append(record, connection) }
    return try unknown.warnings
  }

  /// A store on the way may lack one, as that of a run may.
  private static func giveBackIndexes(_ builder: StoreBuilder, isOnTheWay: Bool) throws {
    let connection = builder.connection
    let values = UniqueValues(connection, builder.targetSchema)
    for row in try connection.rows("SELECT name, sql FROM main.\(BuilderTables.earlierIndexes)") {
      guard let name = row[0].string, let sql = row[1].string else { continue }
      if let refusal = try values.refusal(ofIndex: name) {
        guard isOnTheWay else { throw refusal }
        continue
      }
      try connection.execute(sql)
    }
  }

  /// Everything else that the metadata says stays.
  private static func append(_ record: PropertyList, _ connection: Connection) throws {
    let row = try connection.rows("SELECT Z_UUID, Z_PLIST FROM main.Z_METADATA").first
    let metadata = try Metadata(uuid: row?[0].string ?? "", plist: row?[1].blob ?? [])
    var entries = metadata.entries
    entries[Metadata.Key.log] = .array(metadata.log + [record])
    try connection.run(
      "UPDATE main.Z_METADATA SET Z_PLIST = ?1",
      [.blob(try BinaryPropertyListWriter.write(.dictionary(entries)))])
  }

  private static func restore(_ connection: Connection) throws {
    try LinkIndexes.drop(connection)
    for table in BuilderTables.all + BuilderTables.ofRetry {
      try connection.execute("DROP TABLE IF EXISTS main.\(table)")
    }
  }
}
