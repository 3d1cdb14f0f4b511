internal import CoreDataStore
internal import SQLite

/// Takes everything out of a clone of a source that the new store makes anew, or must not have.
///
/// What stays are tables that ``KeptTables`` names, with those of their indexes that it has proved,
/// and indexes of other tables that are set aside, see ``KeptIndexes``. Views and triggers go
/// first: nothing of the source's acts on what is done here.
struct CloneCleaning {
  private let connection: Connection
  private let tables: Set<String>
  private let indexes: Set<String>
  private let setAside: [StoreIndex]

  init(
    _ connection: Connection, keeping tables: Set<String>, with indexes: Set<String>,
    settingAside others: [StoreIndex] = []
  ) {
    (self.connection, self.tables, self.indexes) = (connection, tables, indexes)
    setAside = others.filter { !tables.contains($0.table) }
  }

  /// Does the work, in the caller's transaction.
  func run() throws(SQLiteError) {
    let schema = try Schema(of: connection)
    for trigger in schema.objects(of: .trigger) { try drop("TRIGGER", trigger) }
    for view in schema.objects(of: .view) { try drop("VIEW", view) }
    for index in schema.objects(of: .index) where isAlien(index) { try drop("INDEX", index) }
    for (table, indexes) in Dictionary(grouping: setAside, by: \.table) {
      try KeptIndexes.setAside(indexes, of: table, connection)
    }
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
  private func isAlien(_ object: SchemaObject) -> Bool {
    object.sql != nil && tables.contains(object.table) && !indexes.contains(object.name)
  }
}
