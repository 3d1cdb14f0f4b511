internal import CSQLite

/// What a database contains, as its schema table says, without running anything of it.
package struct Schema: Sendable {
  /// The name of the schema on its connection.
  package let name: String
  /// All objects, in the order of the schema table.
  package let objects: [SchemaObject]
  private let tables: [Text: SchemaObject]
  private let indexes: [Text: [SchemaObject]]

  /// What the schema table has now; it is read once for each time that the schema changes.
  package init(of connection: Connection, _ name: String = "main") throws(SQLiteError) {
    self = try connection.schema(name)
  }

  /// Reads the schema table.
  init(reading connection: Connection, _ name: String) throws(SQLiteError) {
    self.name = name
    let statement = try connection.prepare(
      "SELECT type, name, tbl_name, rootpage, sql FROM \(Identifier.quoted(name)).sqlite_master")
    var objects: [SchemaObject] = []
    while try statement.step() {
      objects.append(try SchemaObject(statement.row, path: connection.path))
    }
    self.objects = objects
    let named = objects.filter { $0.kind == .table }.map { (Text($0.name), $0) }
    tables = Dictionary(named) { first, _ in first }
    indexes = Dictionary(grouping: objects.filter { $0.kind == .index }) { Text($0.table) }
  }

  package func objects(of kind: SchemaObject.Kind) -> [SchemaObject] {
    objects.filter { $0.kind == kind }
  }

  /// The ordinary table of that name, compared by bytes; nil for a view or a virtual table.
  package func table(_ name: String) -> SchemaObject? { tables[Text(name)] }

  package func indexes(of table: String) -> [SchemaObject] { indexes[Text(table)] ?? [] }
}

/// One row of the schema table.
package struct SchemaObject: Equatable, Sendable {
  /// What it is.
  package enum Kind: String, Sendable {
    case table, index, view, trigger
    /// A table made by CREATE VIRTUAL TABLE: using it runs a module's code.
    case virtualTable
  }

  /// What it is.
  package let kind: Kind
  package let name: String
  /// The table it belongs to; for a table, its own name.
  package let table: String
  /// The first page of its tree; 0 for what has none.
  package let rootPage: Int64
  /// The statement that made it; nil for an index made by a UNIQUE or PRIMARY KEY clause.
  package let sql: String?

  init(_ row: borrowing Row, path: String) throws(SQLiteError) {
    let type = try row.string(0)
    rootPage = row.integer(3) ?? 0
    sql = try row.string(4)
    guard let type, let kind = Kind(rawValue: type), let name = try row.string(1),
      let table = try row.string(2)
    else {
      throw SQLiteError(
        SQLITE_CORRUPT, "the schema table has an entry that is no table, index, view or trigger",
        path: path)
    }
    // "The rootpage is 0 for views, triggers, and virtual tables" (The Schema Table).
    self.kind = kind == .table && rootPage == 0 ? .virtualTable : kind
    self.name = name
    self.table = table
  }
}

package struct SchemaColumn: Equatable, Sendable {
  /// How it comes by its values, by PRAGMA table_xinfo's number.
  package enum Kind: Int64, Sendable {
    case normal = 0
    /// Of a virtual table, left out by `SELECT *`.
    case hidden = 1
    /// Computed when it is read.
    case virtualGenerated = 2
    /// Computed when it is written.
    case storedGenerated = 3
  }

  package let name: String
  /// Its declared type, as written; empty when none was.
  package let type: String
  /// Whether NULL is refused.
  package let isNotNull: Bool
  /// The text of its default, an SQL expression.
  package let defaultValue: String?
  /// Its place in the primary key, from 1; 0 when it is not in it.
  package let primaryKeyPosition: Int
  /// How it comes by its values.
  package let kind: Kind

  /// Whether a declared type contains a word of capitals, in whatever case: "the declared type
  /// contains the string" is all that SQLite's rules ask (Datatypes In SQLite, 3.1).
  ///
  /// Its letters are of ASCII, and small ones differ from capitals by a bit. To Unicode's rules
  /// the same is a hundred times as much work, for each column of each store.
  package static func type(_ type: String, contains word: String) -> Bool {
    let (bytes, word) = (type.utf8.map { $0 & 0xDF }, Array(word.utf8))
    return bytes.indices.contains { bytes[$0...].starts(with: word) }
  }
}

package struct IndexColumn: Equatable, Sendable {
  /// The table's column; nil for the rowid and for an expression.
  package let name: String?
  /// The column's number in its table; -1 for the rowid, -2 for an expression.
  package let tableColumn: Int
  /// Whether the order is descending.
  package let isDescending: Bool
  package let collation: String
  /// Whether it is part of the key, not only stored with it.
  package let isKey: Bool
}

/// An index of a table, as PRAGMA index_list has it.
package struct TableIndex: Equatable, Sendable {
  /// How it came to be.
  package enum Origin: String, Sendable {
    case createIndex = "c"
    case unique = "u"
    case primaryKey = "pk"
  }

  package let name: String
  /// Whether equal keys are refused.
  package let isUnique: Bool
  /// How it came to be.
  package let origin: Origin
  /// Whether it has a WHERE clause.
  package let isPartial: Bool
  package let columns: [IndexColumn]
}
