package import SQLite

/// A new, empty store, built from a schema one part at a time so that rows can come in between.
///
/// Tables come first, then the caller's rows, then indexes, and triggers last: the triggers of
/// derived attributes call functions that only Core Data has.
package final class NewStore {
  /// The parts of a store, in the order in which they must be made.
  package enum Part: CaseIterable, Sendable {
    /// All tables, with the rows that Core Data keeps of its own.
    case tables
    /// All indexes; spatial ones are filled from the rows there are.
    case indexes
    /// All triggers.
    case triggers
  }

  /// The schema that it is built from.
  package let schema: StoreSchema
  /// What it says of itself.
  package let contents: NewStoreContents
  /// The connection to the new file.
  package let connection: Connection

  private let metadata: NewStoreMetadata

  /// Makes the file, empty as yet; one that is there already is never touched.
  package init(
    at path: String, schema: StoreSchema, contents: NewStoreContents = NewStoreContents(),
    durability: OpenMode.Durability = .full
  ) throws {
    self.schema = schema
    self.contents = contents
    metadata = try NewStoreMetadata(schema, contents)
    var mode = OpenMode.own(create: true)
    mode.durability = durability
    mode.pageSize = contents.pageSize
    do {
      connection = try Connection(path: path, mode: mode)
    } catch {
      throw Self.error(error, path)
    }
  }

  /// Continues a store that was begun earlier and has its tables.
  package init(
    resuming connection: Connection, schema: StoreSchema,
    contents: NewStoreContents = NewStoreContents()
  ) throws {
    self.schema = schema
    self.contents = contents
    metadata = try NewStoreMetadata(schema, contents)
    self.connection = connection
  }

  /// Makes a whole store and closes it.
  package static func make(
    at path: String, schema: StoreSchema, contents: NewStoreContents = NewStoreContents()
  ) throws {
    let store = try NewStore(at: path, schema: schema, contents: contents)
    for part in Part.allCases { try store.make(part) }
    try store.close()
  }

  /// Makes one part, in one transaction.
  package func make(_ part: Part) throws {
    do {
      try connection.transaction {
        switch part {
        case .tables: try makeTables(without: [])
        case .indexes: try makeIndexes(without: [])
        case .triggers: try execute(schema.triggers.map(\.sql))
        }
      }
    } catch let error as SQLiteError {
      throw Self.error(error, connection.path)
    }
  }

  /// Closes the file, and says so when something is still using it.
  package func close() throws {
    do {
      try connection.close()
    } catch {
      throw Self.error(error, connection.path)
    }
  }

  private static func error(_ error: SQLiteError, _ path: String) -> Failure {
    Failure(error, what: "cannot make the new store", subject: path)
  }

  private func execute(_ statements: [String]) throws {
    for statement in statements { try connection.execute(statement) }
  }
}

// The parts.
extension NewStore {
  /// All statements by which the store's tables, indexes and triggers are made.
  package var statements: [Text] {
    let tables = schema.tables.map(\.sql) + schema.joinTables.map(\.sql)
    let cache = metadata.modelCache == nil ? [] : [SchemaText.modelCache]
    let own = [SchemaText.primaryKeys, SchemaText.metadata] + cache + (history?.tables ?? [])
    let indexes = schema.indexes.map(\.sql) + (history?.indexes ?? [])
    let others = schema.spatialIndexes.map(\.sql) + schema.triggers.map(\.sql)
    return (tables + own + indexes + others).map { Text($0) }
  }

  private var history: HistoryTables? {
    contents.keepsHistory ? HistoryTables(for: schema.model) : nil
  }

  /// All tables but those of these names, in the caller's transaction.
  package func makeTables(without names: Set<String>) throws {
    let objects = schema.tables.filter { !names.contains($0.name) }.map(\.sql)
    let pairs = schema.joinTables.filter { !names.contains($0.name) }.map(\.sql)
    try execute(objects + pairs)
    try execute([SchemaText.primaryKeys, SchemaText.metadata] + (history?.tables ?? []))
    try insertEntities()
    try connection.run(
      "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)",
      [.text(contents.uuid), .blob(metadata.plist)])
    guard let cache = metadata.modelCache else { return }
    try execute([SchemaText.modelCache])
    try connection.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?1)", [.blob(cache)])
  }

  private func insertEntities() throws {
    let statement = try connection.prepare(
      "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, ?3, 0)")
    let entities = schema.entities.map { ($0.number, $0.name, $0.parentNumber) }
    let extra = history == nil ? [] : HistoryTables.entities.map { ($0.number, $0.name, 0) }
    for (number, name, parent) in entities + extra {
      try statement.bind([.integer(Int64(number)), .text(name), .integer(Int64(parent))])
      try statement.run()
    }
  }

  /// All indexes but those of these names, in the caller's transaction; those of the history only
  /// where its tables have stayed.
  package func makeIndexes(without names: Set<String>, keepsHistory: Bool = true) throws {
    let indexes = schema.indexes.filter { !names.contains($0.name) }
    try execute(indexes.map(\.sql) + (keepsHistory ? history?.indexes ?? [] : []))
    for index in schema.spatialIndexes { try execute([index.sql, index.fill]) }
  }
}
