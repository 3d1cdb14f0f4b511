internal import CSQLite
internal import Synchronization

/// Columns and indexes, asked of SQLite for ordinary tables only.
///
/// For a view the same pragmas would expand its SELECT, for a virtual table start its module.
extension Connection {
  /// The columns of an ordinary table, hidden and generated ones included.
  package func columns(
    of table: String, in schema: String = "main"
  ) throws(SQLiteError) -> [SchemaColumn] {
    let schema = try Schema(of: self, schema)
    return try columns(of: ordinaryTable(table, in: schema), in: schema)
  }

  /// The columns of an ordinary table that a schema has: it is not looked for among all others.
  package func columns(
    of table: SchemaObject, in schema: Schema
  ) throws(SQLiteError) -> [SchemaColumn] {
    guard table.kind == .table else { throw noTable(table.name) }
    guard let sql = table.sql, sql.utf8.count <= KnownColumns.longest else {
      return try listColumns(of: table.name, in: schema.name)
    }
    let key = KnownColumns.Key(name: Text(table.name), sql: Text(sql))
    if let known = KnownColumns.of(key) { return known }
    let columns = try listColumns(of: table.name, in: schema.name)
    KnownColumns.note(columns, key)
    return columns
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
    let schema = try Schema(of: self, schema)
    return try indexes(of: ordinaryTable(table, in: schema), in: schema)
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

  private func ordinaryTable(
    _ name: String, in schema: Schema
  ) throws(SQLiteError) -> SchemaObject {
    guard let table = schema.table(name) else { throw noTable(name) }
    return table
  }

  /// The number that changes with a schema.
  func cookie(of schema: String) throws(SQLiteError) -> Int64 {
    let statement = try prepare(
      "PRAGMA \(Identifier.quoted(schema)).schema_version", cached: true)
    return try statement.step() ? statement.row.integer(0) ?? 0 : 0
  }

  private func noTable(_ name: String) -> SQLiteError {
    SQLiteError(SQLITE_ERROR, "there is no ordinary table \(name)", path: path)
  }
}

/// The columns of tables that SQLite was asked about before.
///
/// They follow from a table's statement alone, and the stores of a fleet have the same ones: to ask
/// takes SQLite's parser, and each store is opened several times.
private enum KnownColumns {
  struct Key: Hashable {
    let name: Text
    let sql: Text
  }

  static let longest = 1 << 15
  private static let most = 256
  private static let tables = Mutex<[Key: [SchemaColumn]]>([:])

  static func of(_ table: Key) -> [SchemaColumn]? { tables.withLock { $0[table] } }

  static func note(_ columns: [SchemaColumn], _ table: Key) {
    tables.withLock { tables in
      if tables.count >= most { tables = [:] }
      tables[table] = columns
    }
  }
}
