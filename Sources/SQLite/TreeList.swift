internal import PageHost
internal import Synchronization

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
    let encoding = try scope.isOfRows ? connection.string("PRAGMA main.encoding") : nil
    let question = Self.question(schema, scope, stand, isOwn, encoding)
    if let known = Self.answers.withLock({ $0.first { $0.question.isSame(as: question) }?.list }) {
      self = known
    } else {
      guard
        let list = try TreeList(asking: connection, schema, scope, stand, isOwn, encoding)
      else { return nil }
      self = list
      Self.remember(question, list)
    }
    guard setRoots(schema) else { return nil }
  }

  private init?(
    asking connection: Connection, _ schema: Schema, _ scope: PageWalk.Scope,
    _ stand: [String: String], _ isOwn: Bool, _ encoding: String?
  ) throws(SQLiteError) {
    let tables = schema.objects(of: .table)
    // What SQLite looks at in addition is in no store of Core Data's: modules of others, and
    // constraints.
    guard schema.objects(of: .virtualTable).isEmpty,
      isOwn || !tables.contains(where: \.isConstrained)
    else { return nil }
    for object in tables + schema.objects(of: .index) {
      // The rows of a table WITHOUT ROWID are in the tree of an index.
      let isTable = object.kind == .table && !object.isConstrained
      if isTable { places[Text(object.name)] = trees.count }
      trees.append(WalkedTree(name: object.name, root: 0, isTable: isTable))
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
    guard encoding == "UTF-8" else { return }
    let indexes = Dictionary(trees.enumerated().map { (Text($1.name), $0) }) { first, _ in first }
    for table in tables {
      guard let rows = places[Text(stand[table.name] ?? table.name)] else { continue }
      let columns = trees[rows].columns.enumerated().map { (Text($1), $0) }
      let fields = Dictionary(columns) { first, _ in first }
      for index in try connection.indexes(of: table, in: schema) {
        guard let place = indexes[Text(index.name)] else { continue }
        ask(place, index, rows, fields)
      }
    }
  }

  /// Puts in where the trees of this very file begin; false where one cannot.
  private mutating func setRoots(_ schema: Schema) -> Bool {
    let objects = schema.objects(of: .table) + schema.objects(of: .index)
    for (place, object) in objects.enumerated() {
      guard let root = UInt32(exactly: object.rootPage), root > 1 else { return false }
      trees[place + 1].root = root
    }
    return true
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
  ///
  /// `columns` are the places of the table's columns.
  private mutating func ask(
    _ place: Int, _ index: TableIndex, _ table: Int, _ columns: [Text: Int]
  ) {
    let keys = index.columns.filter(\.isKey)
    guard IndexProof.canBeProved(index), keys.count <= Int(PH_KEYS) else { return }
    let fields = keys.compactMap { columns[Text($0.name ?? "")] }
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

// The stores of a fleet have the same statements, and SQLite makes the same of them each time.
extension TreeList {
  /// The lists made last, without where their trees begin.
  private static let answers = Mutex<[(question: [UInt8], list: TreeList)]>([])
  private static let most = 8
  private static let longestQuestion = 1 << 17

  /// All that a list follows from, byte for byte, each part with its length: what another program
  /// wrote into a schema table cannot be taken for something else.
  private static func question(
    _ schema: Schema, _ scope: PageWalk.Scope, _ stand: [String: String], _ isOwn: Bool,
    _ encoding: String?
  ) -> [UInt8] {
    var bytes: [UInt8] = [isOwn ? 1 : 0]
    func add(_ text: String?) {
      let count = text.map { UInt32(clamping: $0.utf8.count) } ?? .max
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
      if let text { bytes += text.utf8 }
    }
    if case .rows(let column) = scope { add(column) } else { add(nil) }
    add(encoding)
    for (name, other) in stand.sorted(by: { $0.key < $1.key }) {
      add(name)
      add(other)
    }
    add(nil)
    for object in schema.objects {
      add(object.kind.rawValue)
      add(object.name)
      add(object.table)
      add(object.sql)
    }
    return bytes
  }

  private static func remember(_ question: [UInt8], _ list: TreeList) {
    guard question.count <= longestQuestion else { return }
    answers.withLock { answers in
      answers.removeAll { $0.question.isSame(as: question) }
      answers.insert((question, list), at: 0)
      if answers.count > most { answers.removeLast() }
    }
  }
}

extension PageWalk.Scope {
  fileprivate var isOfRows: Bool { if case .rows = self { true } else { false } }
}

extension SchemaObject {
  /// Whether the statement has a word of "NOT NULL", "STRICT" or "WITHOUT ROWID", wherever it
  /// stands.
  ///
  /// The bytes are read as SQLite reads them: a keyword has letters of ASCII alone, and what is
  /// above ASCII belongs to a name (tokenize.c). To Unicode's rules letters are a hundred times as
  /// much work, for each table of each walk.
  var isConstrained: Bool {
    guard var sql else { return false }
    return sql.withUTF8 { bytes in
      var start = 0
      for place in 0...bytes.count {
        if place < bytes.count, unsafe CheckClauses.isOfWord(bytes[place]) { continue }
        if place - start >= 3, unsafe Self.isConstraint(bytes[start..<place]) { return true }
        start = place + 1
      }
      return false
    }
  }

  private static func isConstraint(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    // Small letters differ from capitals by this bit.
    constraints.contains { keyword in
      unsafe keyword.count == word.count && word.lazy.map { $0 & 0xDF }.elementsEqual(keyword)
    }
  }

  private static let constraints = ["NOT", "STRICT", "WITHOUT"].map { Array($0.utf8) }
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
    func has(_ words: String...) -> Bool { words.contains { Self.type(type, contains: $0) } }
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
