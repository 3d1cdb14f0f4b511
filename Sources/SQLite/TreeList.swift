internal import PageHost

/// The trees of a database, and what a walk is asked of each.
struct TreeList {
  /// That of the schema table, the tables, the indexes.
  private(set) var trees = [WalkedTree(name: "sqlite_master", root: 1, isTable: true)]
  /// The place of each table that has rowids among these trees.
  private var places: [Text: Int] = [:]

  /// The trees of the main file; nil where it has something that a walk does not prove.
  ///
  /// `stand` says of tables whose indexes are to be compared with the rows of another one, which
  /// has columns of the same names, which one that is. In a database that `isOwn` the constraints
  /// of tables are met.
  init?(
    of connection: Connection, _ scope: PageWalk.Scope, standIns stand: [String: String] = [:],
    isOwn: Bool = false
  ) throws(SQLiteError) {
    let schema = try Schema(of: connection)
    let tables = schema.objects(of: .table)
    // What SQLite looks at in addition is in no store of Core Data's: modules of others, and
    // constraints.
    guard schema.objects(of: .virtualTable).isEmpty,
      isOwn || !tables.contains(where: \.isConstrained)
    else { return nil }
    for object in tables + schema.objects(of: .index) {
      guard let root = UInt32(exactly: object.rootPage), root > 1 else { return nil }
      // The rows of a table WITHOUT ROWID are in the tree of an index.
      let isTable = object.kind == .table && !object.isConstrained
      if isTable { places[Text(object.name)] = trees.count }
      trees.append(WalkedTree(name: object.name, root: root, isTable: isTable))
    }
    guard trees.count < Int(PH_TREES) else { return nil }
    let types = [("type", "text"), ("name", "text"), ("tbl_name", "text"), ("rootpage", "int")]
    askRows(0, (types + [("sql", "text")]).map { ($0, SchemaColumn.forbidden($1)) })
    let counted: String? = if case .rows(let column) = scope { column } else { nil }
    for table in tables where !table.isConstrained {
      guard try ask(table, of: connection, schema, counting: counted) || isOwn else { return nil }
    }
    guard counted != nil else { return }
    // Text is compared byte by byte, which is SQLite's order for this encoding.
    guard try connection.string("PRAGMA main.encoding") == "UTF-8" else { return }
    let indexes = Dictionary(trees.enumerated().map { (Text($1.name), $0) }) { first, _ in first }
    for table in tables {
      let rows = places[Text(stand[table.name] ?? table.name)]
      for index in try connection.indexes(of: table, in: schema) {
        guard let rows, let place = indexes[Text(index.name)] else { continue }
        ask(place, index, rows)
      }
    }
  }

  private mutating func askRows(_ place: Int, _ columns: [(name: String, forbidden: UInt8)]) {
    trees[place].columns = columns.map(\.name)
    trees[place].forbidden = columns.map(\.forbidden)
  }

  /// Asks for the rows of a table; false where some of its columns are computed.
  private mutating func ask(
    _ table: SchemaObject, of connection: Connection, _ schema: Schema, counting name: String?
  ) throws(SQLiteError) -> Bool {
    guard let place = places[Text(table.name)] else { return false }
    let columns = try connection.columns(of: table, in: schema)
    guard columns.allSatisfy({ $0.kind == .normal }) else { return false }
    askRows(place, columns.map { ($0.name, $0.forbidden) })
    trees[place].counted = name.flatMap { name in columns.firstIndex { $0.name == name } }
    trees[place].alias = columns.placeOfKey
    return true
  }

  /// Asks whether an index holds what a table holds.
  private mutating func ask(_ place: Int, _ index: TableIndex, _ table: Int) {
    let keys = index.columns.filter(\.isKey)
    guard IndexProof.canBeProved(index), keys.count <= Int(PH_KEYS) else { return }
    let names = trees[table].columns
    let fields = keys.compactMap { key in names.firstIndex { Text($0) == Text(key.name ?? "") } }
    guard fields.count == keys.count, !fields.contains(where: { $0 == trees[table].alias }) else {
      return
    }
    trees[place].table = table
    trees[place].keys = fields.map { UInt16(clamping: $0) }
    trees[place].isUnique = index.isUnique
    for (bit, key) in keys.enumerated() where key.isDescending {
      trees[place].descending |= 1 << UInt32(bit)
    }
  }
}

extension SchemaObject {
  /// Whether the statement has a word of "NOT NULL", "STRICT" or "WITHOUT ROWID", wherever it
  /// stands.
  var isConstrained: Bool {
    let words = (sql ?? "").uppercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return words.contains { ["NOT", "STRICT", "WITHOUT"].contains($0) }
  }
}

extension SchemaColumn {
  /// The bits of what SQLite's check reports in this column, or may report.
  ///
  /// A default that is no NULL is looked at by SQLite, too.
  fileprivate var forbidden: UInt8 {
    Self.forbidden(type) | (defaultValue == nil ? 0 : UInt8(PH_MISSING))
  }

  /// The same by the type alone: SQLite has "NUMERIC value in" a column of text, and "TEXT value
  /// in" one of numbers (pragma.c), by the rules of "Determination Of Column Affinity" (Datatypes
  /// In SQLite, 3.1).
  fileprivate static func forbidden(_ type: String) -> UInt8 {
    let type = type.uppercased()
    func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
    if has("INT") { return UInt8(PH_TEXT) }
    if has("CHAR", "CLOB", "TEXT") { return UInt8(PH_INTEGER | PH_REAL) }
    return type.isEmpty || has("BLOB") ? 0 : UInt8(PH_TEXT)
  }
}

extension [SchemaColumn] {
  /// The place of the column that is the rows' key: "INTEGER PRIMARY KEY" is "an alias for the
  /// rowid" (CREATE TABLE), and no field of a row.
  var placeOfKey: Int? {
    guard filter({ $0.primaryKeyPosition > 0 }).count == 1 else { return nil }
    return firstIndex { $0.primaryKeyPosition == 1 && $0.type.uppercased() == "INTEGER" }
  }
}
