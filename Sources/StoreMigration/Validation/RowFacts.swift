internal import CoreDataStore
internal import SQLite

/// A column that has keys of objects, or nothing.
struct KeyColumn: Hashable {
  let table: String
  let column: String
  /// The table of these objects, and the numbers that their entities may have.
  let target: String
  let family: ClosedRange<Int>
  let mayBeNull: Bool

  /// A column of keys of an entity's objects, or of those that inherit from it.
  init(_ table: String, _ column: String, of target: EntityLayout, mayBeNull: Bool) {
    (self.table, self.column, self.mayBeNull) = (table, column, mayBeNull)
    (self.target, family) = (target.table, target.family)
  }

  /// The two columns of a table of pairs.
  static func ends(of table: JoinTable, _ schema: StoreSchema) -> [KeyColumn] {
    [(table.first, table.master), (table.second, table.inverse)].compactMap { column, end in
      schema.entity(named: end.entity).map {
        KeyColumn(table.name, column, of: $0, mayBeNull: false)
      }
    }
  }
}

/// Something that is true of all rows of a table.
enum RowFact: Hashable {
  /// Each has a value in a column.
  case filled(_ table: String, _ column: String)
  /// Each has a number of these for its entity.
  case numbered(_ table: String, [Int])
  /// Each key in a column is that of an object which is there.
  case keys(KeyColumn)

  /// The column of keys, where it is about one.
  var column: KeyColumn? { if case .keys(let column) = self { column } else { nil } }
}

/// What one look at the rows of all tables shows of them.
///
/// Most rules are broken by no row, and that shows without asking SQLite for each row: how many
/// values a column has, which numbers of entities there are, and which keys. What does not show has
/// to be asked.
struct RowFacts {
  private var answers: [String: PageWalk.Answer] = [:]
  private var keys: [KeyColumn: PageWalk.Numbers] = [:]
  private(set) var objects: [String: PageWalk.Numbers] = [:]

  /// Looks at the tables of a store, and at columns of keys in addition to those of pairs; at none
  /// of them without `columns`.
  init(
    _ connection: Connection, _ schema: StoreSchema, in database: String = "main",
    columns: [KeyColumn]? = nil, room most: Int64 = Self.room
  ) throws {
    let wanted = Set(
      columns.map { $0 + schema.joinTables.flatMap { KeyColumn.ends(of: $0, schema) } } ?? [])
    let limits = try Self.limits(of: Set(wanted.map(\.target)), connection, database)
    var room = (keys: most, objects: most)
    var targets: Set<String> = []
    let known = wanted.filter { column in
      guard let limit = limits[column.target], limit <= room.keys,
        targets.contains(column.target) || limit <= room.objects
      else { return false }
      room.keys -= limit
      if targets.insert(column.target).inserted { room.objects -= limit }
      return true
    }
    let byTable = Dictionary(grouping: known, by: \.table)
    let pairs = Set(schema.joinTables.map(\.name))
    let names = schema.tables.map(\.name) + byTable.keys.filter(pairs.contains)
    let questions = names.map { name in
      var question = PageWalk.Question(name)
      question.counted = pairs.contains(name) ? nil : "Z_ENT"
      question.sets = (byTable[name] ?? []).map { ($0.column, limits[$0.target] ?? 0) }
      if targets.contains(name), let limit = limits[name] { question.sets.append((nil, limit)) }
      return question
    }
    guard let found = try connection.scan(questions, in: database) else { return }
    for (name, answer) in zip(names, found) {
      answers[name] = answer
      for (column, set) in zip(byTable[name] ?? [], answer.sets) { keys[column] = set }
      if targets.contains(name) { objects[name] = answer.sets.last }
    }
  }

  /// One more than the highest key of each table.
  private static func limits(
    of tables: Set<String>, _ connection: Connection, _ database: String
  ) throws -> [String: Int64] {
    var limits: [String: Int64] = [:]
    for table in tables {
      let name = Identifier.quoted(table, in: database)
      let highest = try connection.integer("SELECT max(Z_PK) FROM \(name)") ?? 0
      if 0..<room ~= highest { limits[table] = highest + 1 }
    }
    return limits
  }

  /// How many keys sets of columns are made for in all, and as many for sets of objects: each takes
  /// a bit in each set.
  static let room: Int64 = 1 << 26

  /// How many objects are of this very entity; nil where that does not show.
  func count(of layout: EntityLayout) -> Int64? {
    answers[layout.table]?.numbers.map { Int64($0[Int64(layout.number)] ?? 0) }
  }

  /// Whether a fact shows to be true.
  func show(_ fact: RowFact) -> Bool {
    switch fact {
    case .filled(let table, let column):
      guard let answer = answers[table] else { return false }
      return answer.values[column] == answer.count
    case .numbered(let table, let numbers):
      guard let found = answers[table]?.numbers else { return false }
      return Set(found.keys).isSubset(of: numbers.map(Int64.init))
    case .keys(let column):
      guard let found = keys[column], let there = objects[column.target], !found.hasOthers,
        column.mayBeNull || !found.hasNulls,
        let numbers = answers[column.target]?.numbers
      else { return false }
      let isFamily = numbers.keys.allSatisfy { column.family.contains(Int(clamping: $0)) }
      return isFamily && found.isContained(in: there)
    }
  }
}
