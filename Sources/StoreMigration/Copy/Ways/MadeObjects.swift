internal import CoreDataStore
internal import SQLite

// The way `made`: a script is handed each object of the source, in the order of Z_PK, and makes
// what it likes from it.
extension ScriptedCopy {
  /// Hands over the next objects; false when there are none left.
  ///
  /// What the body throws undoes the chunk. The state is asked for after its last object and saved
  /// with it.
  package func chunk(
    state: () throws -> [UInt8]?, _ body: (SourceObject) throws -> Void
  ) throws -> Bool {
    try chunk(state) { try hand(over: body) }
  }

  private func hand(over body: (SourceObject) throws -> Void) throws -> ProgressRow {
    let limits = pace.limits
    let before = try builder.size()
    let start = SuspendingClock.now
    let spilled = builder.connection.spilledPages
    let (statement, columns) = try selection()
    try statement.bind([.behind(row.last)])
    defer {
      reader.leave()
      statement.reset()
    }
    var next = row
    var unmeasured = 0
    while try statement.step() {
      let id = ObjectID(entity: entity, key: statement.row.integer(0) ?? 0)
      reader.stand(on: id, of: statement, columns)
      try body(SourceObject(id, reader))
      next.rows += 1
      next.made += 1
      next.last = id.key
      unmeasured += 1
      let rows = next.rows - row.rows
      if unmeasured >= Self.pause(rows, next.bytes - row.bytes, limits) {
        next.bytes = row.bytes + max(0, try builder.size() - before)
        unmeasured = 0
      }
      if rows >= limits.rows || next.bytes - row.bytes >= limits.bytes
        || start.duration(to: .now) >= limits.time
        || savesLittle && builder.commitsEarly(spilled: spilled)
      {
        return next
      }
    }
    next.bytes = row.bytes + max(0, try builder.size() - before)
    next.isDone = true
    return next
  }

  /// Whether what the script wants to find again, which is saved with each chunk, is small.
  private var savesLittle: Bool { (savedState?.count ?? 0) < 1 << 16 }

  /// The rows until the file is measured again: no more than there were, and than a tenth of what
  /// is left would hold.
  private static func pause(_ rows: Int, _ bytes: Int, _ limits: ChunkLimits) -> Int {
    let each = max(1, bytes / rows)
    return max(1, min(rows / 2, (limits.bytes - bytes) / 10 / each, 100))
  }

  /// The rows that are left, and the place of each column among the statement's.
  private func selection() throws -> (Statement, columns: [String: Int]) {
    let (sql, columns) = try selection(ofKeys: "> ?1")
    return (try builder.connection.prepare(sql, cached: true), columns)
  }

  /// The rows of the objects whose keys are in a range, in the order of the keys, and the place of
  /// each column among a row's; the key is the first.
  func selection(ofKeys range: String) throws -> (sql: String, columns: [String: Int]) {
    let layout = try builder.sourceLayout(entity)
    let stored = layout.storage.values.flatMap(\.columns).map(\.name)
    let names = ["Z_PK"] + Set(stored).sorted()
    let list = names.map { Identifier.quoted($0) }.joined(separator: ", ")
    let conditions = try RowExpressions.conditions(
      builder.mapping.conditions(on: entity), layout, builder)
    let sql = """
      SELECT \(list) FROM \(Identifier.quoted(layout.table, in: "source")) AS s
      WHERE Z_ENT = \(layout.number) AND Z_PK \(range)
      \(conditions.map { "AND (\($0))" } ?? "")\(try builder.narrowing(entity, key: "Z_PK"))
      ORDER BY Z_PK
      """
    return (sql, Dictionary(uniqueKeysWithValues: zip(names, names.indices)))
  }
}
