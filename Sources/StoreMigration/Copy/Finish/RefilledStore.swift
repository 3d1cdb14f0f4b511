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
  ///   - highest: The key that new ones are above in each table; nil for those in use there.
  /// - Throws: ``Failure`` when the copy cannot be written.
  package static func open(
    _ path: String, associations: String?, keys: [Int: [Int64]], above highest: Int64? = nil
  ) throws {
    do {
      let connection = try Connection(path: path, mode: .own(create: false))
      defer { try? connection.close() }
      if let associations { try connection.attach(associations, as: "kept", .readOnly) }
      try connection.transaction {
        for statement in BuilderTables.sql { try connection.execute(statement) }
        let objects = BuilderTables.objects
        if associations != nil {
          try connection.execute("INSERT INTO main.\(objects) SELECT * FROM kept.\(objects)")
        }
        try BuilderTables.note(keys.map { ($0, $1) }, as: BuilderTables.refilled, connection)
        if let highest {
          try connection.run(
            "UPDATE main.Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?1)", [.integer(highest)])
        }
      }
    } catch let error as SQLiteError {
      throw Failure(error, what: what, subject: path)
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
    for table in BuilderTables.all + [BuilderTables.refilled] {
      try connection.execute("DROP TABLE IF EXISTS main.\(table)")
    }
  }
}
