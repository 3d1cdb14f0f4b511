internal import CSQLite

/// Columns and indexes, asked of SQLite for ordinary tables only.
///
/// For a view the same pragmas would expand its SELECT, for a virtual table start its module.
extension Connection {
  /// The columns of an ordinary table, hidden and generated ones included.
  package func columns(
    of table: String, in schema: String = "main"
  ) throws(SQLiteError) -> [SchemaColumn] {
    try requireTable(table, in: schema)
    return try listColumns(of: table, in: schema)
  }

  /// The columns of an ordinary table that a schema has: it is not looked for among all others.
  package func columns(
    of table: SchemaObject, in schema: Schema
  ) throws(SQLiteError) -> [SchemaColumn] {
    guard table.kind == .table else { throw noTable(table.name) }
    return try listColumns(of: table.name, in: schema.name)
  }

  private func listColumns(
    of table: String, in schema: String
  ) throws(SQLiteError) -> [SchemaColumn] {
    let statement = try pragma("table_xinfo", of: table, in: schema)
    var columns: [SchemaColumn] = []
    while try statement.step() {
      let row = statement.row
      columns.append(
        SchemaColumn(
          name: try row.string(1) ?? "", type: try row.string(2) ?? "",
          isNotNull: row.integer(3) != 0, defaultValue: try row.string(4),
          primaryKeyPosition: Int(row.integer(5) ?? 0),
          kind: SchemaColumn.Kind(rawValue: row.integer(6) ?? 0) ?? .hidden))
    }
    return columns
  }

  /// The indexes of an ordinary table with their columns.
  package func indexes(
    of table: String, in schema: String = "main"
  ) throws(SQLiteError) -> [TableIndex] {
    try requireTable(table, in: schema)
    return try listIndexes(of: table, in: schema)
  }

  /// The indexes of an ordinary table that a schema has: it is not looked for among all others.
  package func indexes(
    of table: SchemaObject, in schema: Schema
  ) throws(SQLiteError) -> [TableIndex] {
    guard table.kind == .table else { throw noTable(table.name) }
    return try listIndexes(of: table.name, in: schema.name)
  }

  private func listIndexes(
    of table: String, in schema: String
  ) throws(SQLiteError) -> [TableIndex] {
    let statement = try pragma("index_list", of: table, in: schema)
    var indexes: [TableIndex] = []
    while try statement.step() {
      let row = statement.row
      let name = try row.string(1) ?? ""
      indexes.append(
        TableIndex(
          name: name, isUnique: row.integer(2) != 0,
          origin: TableIndex.Origin(rawValue: try row.string(3) ?? "") ?? .createIndex,
          isPartial: row.integer(4) != 0, columns: try indexColumns(of: name, in: schema)))
    }
    return indexes
  }

  private func indexColumns(
    of index: String, in schema: String
  ) throws(SQLiteError) -> [IndexColumn] {
    let statement = try pragma("index_xinfo", of: index, in: schema)
    var columns: [IndexColumn] = []
    while try statement.step() {
      let row = statement.row
      columns.append(
        IndexColumn(
          name: try row.string(2), tableColumn: Int(row.integer(1) ?? 0),
          isDescending: row.integer(3) != 0, collation: try row.string(4) ?? "",
          isKey: row.integer(5) != 0))
    }
    return columns
  }

  private func pragma(
    _ name: String, of object: String, in schema: String
  ) throws(SQLiteError) -> Statement {
    try prepare(
      "PRAGMA \(Identifier.quoted(schema)).\(name)(\(Identifier.quoted(object)))")
  }

  private func requireTable(_ name: String, in schema: String) throws(SQLiteError) {
    guard try ordinaryTables(of: schema).contains(Text(name)) else { throw noTable(name) }
  }

  /// The number that changes with a schema.
  func cookie(of schema: String) throws(SQLiteError) -> Int64 {
    let statement = try prepare(
      "PRAGMA \(Identifier.quoted(schema)).schema_version", cached: true)
    return try statement.step() ? statement.row.integer(0) ?? 0 : 0
  }

  /// The names of the ordinary tables of a schema; "the rootpage is 0 for views, triggers, and
  /// virtual tables" (The Schema Table).
  func listTables(of schema: String) throws(SQLiteError) -> Set<Text> {
    let statement = try prepare(
      """
      SELECT name FROM \(Identifier.quoted(schema)).sqlite_master
      WHERE type = 'table' AND rootpage > 0
      """)
    var names: Set<Text> = []
    while try statement.step() {
      if let name = try statement.row.string(0) { names.insert(Text(name)) }
    }
    return names
  }

  private func noTable(_ name: String) -> SQLiteError {
    SQLiteError(SQLITE_ERROR, "there is no ordinary table \(name)", path: path)
  }
}
