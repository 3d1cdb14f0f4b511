internal import CoreDataStore
internal import SQLite

/// The way `copied`: SQL copies the rows of one mapping, in chunks in the order of Z_PK.
final class CopiedRows: EntityCopy {
  private let object: ObjectMapping
  private let total: Int

  private let builder: StoreBuilder
  private let expressions: RowExpressions
  private let rows: RowCopy
  private let root: String
  private var row: ProgressRow
  private var pace: ChunkPace

  /// Continues where an earlier run stopped.
  init(
    _ builder: StoreBuilder, _ object: ObjectMapping, limits: ChunkLimits = ChunkLimits()
  ) throws {
    self.builder = builder
    self.object = object
    expressions = try RowExpressions(builder, object)
    root = builder.root(of: expressions.target)
    let unit = Self.unit(of: object)
    let row = try builder.progress(of: unit) ?? ProgressRow(unit: unit)
    total = try row.isDone ? row.rows : builder.objectCount(of: object.source)
    self.row = row
    pace = ChunkPace(limits)
    rows = Self.rows(builder, expressions)
  }

  /// The name under which it is noted how far a mapping has come.
  static func unit(of object: ObjectMapping) -> String { "copy \(object.source) \(object.target)" }

  var progress: CopyProgress {
    CopyProgress(entity: object.source, rows: row.rows, total: total, bytes: row.bytes)
  }

  var leftOut: Int { row.rows - row.made }

  func chunk() throws -> Bool {
    guard !row.isDone else { return false }
    let start = SuspendingClock.now
    let next: ProgressRow
    do {
      next = try builder.unit { try copy() }
    } catch let error as SQLiteError {
      let table = LongValue(builder.connection, table: expressions.source.table, in: "source")
      throw Failure(
        error, what: "cannot copy the objects",
        subject: table.subject("entity \(object.source)", error, after: row.last))
    }
    pace.note(bytes: next.bytes - row.bytes, time: start.duration(to: .now))
    row = next
    return !row.isDone
  }

  private func copy() throws -> ProgressRow {
    let before = try builder.size()
    var next = row
    if isStraight {
      let count = try rows.run([.behind(row.last), .integer(Int64(pace.rows))])
      next.made += count
      next.rows += count
      // Z_PK is the rowid, and the rows came in its order.
      if count > 0 { next.last = builder.connection.lastInsertRowID }
      next.isDone = count < pace.rows
    } else if let (last, count) = try range() {
      if object.keys == .renumbered { try giveKeys(upTo: last) }
      next.made += try rows.run([.behind(row.last), .integer(last)])
      next.rows += count
      next.last = last
      next.isDone = count < pace.rows
    } else {
      next.isDone = true
    }
    next.bytes += max(0, try builder.size() - before)
    try builder.record(next)
    return next
  }

  /// The last key of the next rows, and how many they are.
  private func range() throws -> (last: Int64, count: Int)? {
    let source = expressions.source
    let found = try builder.connection.rows(
      """
      SELECT max(k), count(*) FROM (SELECT Z_PK AS k
      FROM \(Identifier.quoted(source.table, in: "source"))
      WHERE Z_ENT = \(source.number) AND Z_PK > ?1 ORDER BY Z_PK LIMIT ?2)
      """, [.behind(row.last), .integer(Int64(pace.rows))])
    guard let last = found.first?[0].integer, let count = found.first?[1].integer else {
      return nil
    }
    return (last, Int(count))
  }

  /// Gives each object its new key, and notes which.
  private func giveKeys(upTo last: Int64) throws {
    let source = expressions.source
    let first = try KeySupply(builder).take(0, root: root)
    let count = try builder.connection.run(
      """
      INSERT INTO main.\(BuilderTables.objects)
      SELECT \(source.number), s.Z_PK, \(expressions.target.number),
      ?3 + row_number() OVER (ORDER BY s.Z_PK), 0
      FROM \(Identifier.quoted(source.table, in: "source")) AS s
      WHERE \(Self.filter(expressions, 0))
      """, [.behind(row.last), .integer(last), .integer(first - 1)])
    _ = try KeySupply(builder).take(count, root: root)
  }

  private static func filter(_ expressions: RowExpressions, _ parameters: Int) -> String {
    let range =
      "s.Z_ENT = \(expressions.source.number) "
      + "AND s.Z_PK > ?\(parameters + 1) AND s.Z_PK <= ?\(parameters + 2)"
    return expressions.conditions.map { "\(range) AND (\($0))" } ?? range
  }

  /// Whether one statement reads and makes the next rows: its result shows how far it went.
  private var isStraight: Bool { Self.isStraight(expressions) }

  private static func isStraight(_ expressions: RowExpressions) -> Bool {
    expressions.object.keys == .kept && !expressions.needsRows && expressions.conditions == nil
  }

  private static func rows(
    _ builder: StoreBuilder, _ expressions: RowExpressions
  ) -> RowCopy {
    let parameters = expressions.bindings.count
    if isStraight(expressions) {
      return RowCopy(
        builder, expressions, key: "s.Z_PK",
        filter: "s.Z_ENT = \(expressions.source.number) AND s.Z_PK > ?\(parameters + 1)",
        limit: "?\(parameters + 2)")
    }
    let filter = filter(expressions, parameters)
    guard expressions.object.keys == .renumbered else {
      return RowCopy(builder, expressions, key: "s.Z_PK", filter: filter)
    }
    let join = """
      JOIN main.\(BuilderTables.objects) AS p ON p.source_entity = \(expressions.source.number)
      AND p.source = s.Z_PK AND p.entity = \(expressions.target.number)
      """
    return RowCopy(builder, expressions, key: "p.object", join: join, filter: filter)
  }
}

/// Copies rows of one entity: by one statement where SQL can do it all, else row by row.
struct RowCopy {
  private let builder: StoreBuilder
  private let expressions: RowExpressions
  /// The columns in the order of the table: SQLite puts those where they belong as it reads them,
  /// and others once more from there (insert.c, bIdListInOrder).
  private let columns: [RowExpressions.Column]
  private let selection: String
  private let insertion: String

  /// The copying of the rows that a filter lets pass.
  ///
  /// The new row's Z_PK is an expression over `s` and what is joined. The filter's own parameters
  /// are numbered after those of the expressions. `limit` is how many rows at most, an expression.
  init(
    _ builder: StoreBuilder, _ expressions: RowExpressions, key: String, join: String = "",
    filter: String, limit: String? = nil
  ) {
    self.builder = builder
    self.expressions = expressions
    let all = builder.targetSchema.table(of: expressions.target)?.columns ?? []
    let places = Dictionary(all.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let columns = expressions.columns.sorted {
      places[$0.column] ?? .max < places[$1.column] ?? .max
    }
    self.columns = columns
    let names = (["Z_PK"] + columns.map { Identifier.quoted($0.column) }).joined(separator: ", ")
    let table = Identifier.quoted(expressions.target.table, in: "main")
    let from = "FROM \(Identifier.quoted(expressions.source.table, in: "source")) AS s \(join)"
    let staged = builder.stagedValues
    let blobs = Set(all.filter { $0.type == .blob }.map(\.name))
    let values = columns.map { column in
      guard let staged, column.change == nil, blobs.contains(column.column) else {
        return column.inserted ?? column.sql
      }
      return staged.marking(
        "(\(column.sql))", column.column, of: expressions.target.table, key: key)
    }
    let order = "ORDER BY s.Z_PK" + (limit.map { " LIMIT \($0)" } ?? "")
    if expressions.needsRows {
      let list = ([key, "s.Z_PK"] + values).joined(separator: ", ")
      selection = "SELECT \(list) \(from) WHERE \(filter) \(order)"
      let parameters = (1...columns.count + 1).map { "?\($0)" }.joined(separator: ", ")
      insertion = "INSERT INTO \(table) (\(names)) VALUES (\(parameters))"
    } else {
      let list = ([key] + values).joined(separator: ", ")
      selection = "SELECT \(list) \(from) WHERE \(filter) \(order)"
      insertion = "INSERT INTO \(table) (\(names)) \(selection)"
    }
  }

  /// Copies the rows that the values of the filter's parameters mean; gives back how many.
  func run(_ values: [Value]) throws -> Int {
    let values = expressions.bindings + values
    let connection = builder.connection
    guard expressions.needsRows else { return try connection.run(insertion, values) }
    let insert = try connection.prepare(insertion, cached: true)
    var count = 0
    try connection.query(selection, values) { row in
      try copy(row, with: insert)
      count += 1
    }
    return count
  }

  private func copy(_ row: borrowing Row, with insert: Statement) throws {
    let key = row.integer(1) ?? 0
    try insert.bind(1, fromColumn: 0, of: row)
    for (offset, column) in columns.enumerated() {
      if let change = column.change {
        try insert.bind(try change.value(of: try row.value(offset + 2), key: key), at: offset + 2)
      } else {
        try insert.bind(offset + 2, fromColumn: offset + 2, of: row)
      }
    }
    defer { insert.clear() }
    try insert.run()
  }
}
