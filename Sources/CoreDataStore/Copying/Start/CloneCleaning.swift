internal import SQLite

/// Takes everything out of a clone of a source that the new store makes anew, or must not have.
///
/// What stays are tables that ``KeptTables`` names, with those of their indexes that the new schema
/// has word for word and that have an entry for each row. Views and triggers go first: nothing of
/// the source's acts on what is done here.
struct CloneCleaning {
  private let connection: Connection
  private let tables: Set<String>
  private let indexes: [String: StoreIndex]

  init(_ connection: Connection, keeping tables: Set<String>, _ schema: StoreSchema) {
    (self.connection, self.tables) = (connection, tables)
    indexes = Dictionary(schema.indexes.map { ($0.name, $0) }) { first, _ in first }
  }

  /// Does the work, in the caller's transaction.
  func run() throws(SQLiteError) {
    let schema = try Schema(of: connection)
    for trigger in schema.objects(of: .trigger) { try drop("TRIGGER", trigger) }
    for view in schema.objects(of: .view) { try drop("VIEW", view) }
    for index in schema.objects(of: .index) where try isAlien(index) { try drop("INDEX", index) }
    for table in schema.objects(of: .table) where !tables.contains(table.name) {
      try drop("TABLE", table)
    }
    try connection.execute("PRAGMA main.user_version = 0; PRAGMA main.application_id = 0")
  }

  private func drop(_ kind: String, _ object: SchemaObject) throws(SQLiteError) {
    try connection.execute("DROP \(kind) \(Identifier.quoted(object.name, in: "main"))")
  }

  /// Whether an index of a table that stays must go; those of a PRIMARY KEY belong to the table,
  /// and those of the others go with these.
  private func isAlien(_ object: SchemaObject) throws(SQLiteError) -> Bool {
    guard let sql = object.sql, tables.contains(object.table) else { return false }
    guard let index = indexes[object.name], Text(index.sql) == Text(sql) else { return true }
    return try !isWhole(index)
  }

  /// Whether an index has as many entries as the table has rows that it is about; SQLite's quick
  /// check does not see when some are missing.
  private func isWhole(_ index: StoreIndex) throws(SQLiteError) -> Bool {
    let table = Identifier.quoted(index.table, in: "main")
    let condition = index.condition.map { " WHERE \($0)" }
    let count = "SELECT count(*) FROM \(table)"
    let name = Identifier.quoted(index.name)
    // Without a condition SQLite counts the smallest of a table's trees, whichever it is told.
    let entries = try connection.integer("\(count) INDEXED BY \(name)\(condition ?? " WHERE 1")")
    return try entries == connection.integer("\(count) NOT INDEXED\(condition ?? "")")
  }
}
