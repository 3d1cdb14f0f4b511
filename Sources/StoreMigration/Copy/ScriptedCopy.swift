internal import CoreDataStore
internal import SQLite

/// The objects of one source entity, handed to a script in the order of Z_PK.
///
/// Each chunk is one transaction, with its progress and what the script wants to find again.
package final class ScriptedCopy {
  /// The source entity's name.
  package let entity: String
  /// How many objects the source has.
  package let total: Int

  let builder: StoreBuilder
  let reader: SourceReader
  let targetReader: SourceReader
  let assigned: AssignedLinks
  let indexes: LinkIndexes
  private let limits: ChunkLimits
  private var row: ProgressRow
  var makers: [String: DefaultObject] = [:]
  let values: ObjectValues
  let unwritten: UnwrittenObjects

  /// Goes on where an earlier run stopped.
  package convenience init(
    _ builder: StoreBuilder, entity: String, limits: ChunkLimits = ChunkLimits()
  ) throws {
    let unit = "script \(entity)"
    self.init(
      builder, entity, total: try builder.objectCount(of: entity), limits,
      try builder.progress(of: unit) ?? ProgressRow(unit: unit))
  }

  /// For a stage that changes objects which are there, and is handed none.
  convenience init(revising builder: StoreBuilder) {
    self.init(builder, "", total: 0, ChunkLimits(), ProgressRow(unit: ""))
  }

  private init(
    _ builder: StoreBuilder, _ entity: String, total: Int, _ limits: ChunkLimits,
    _ row: ProgressRow
  ) {
    self.builder = builder
    self.entity = entity
    self.total = total
    self.limits = limits
    self.row = row
    reader = SourceReader(builder)
    targetReader = SourceReader(targetOf: builder)
    assigned = AssignedLinks(builder)
    values = ObjectValues(schema: builder.targetSchema, external: builder.external)
    indexes = LinkIndexes(builder)
    unwritten = UnwrittenObjects(builder)
  }

  /// The key of the last object that was handed over; nil before the first.
  var last: Int64? { row.last }
  /// How many objects have been handed over.
  package var rows: Int { row.rows }
  /// What the script wanted to find again, as of the last chunk.
  package var savedState: [UInt8]? { row.state }
  /// How far it has come.
  package var progress: CopyProgress {
    CopyProgress(entity: entity, rows: row.rows, total: total, bytes: row.bytes)
  }

  /// Hands over the next objects; false when there are none left.
  ///
  /// What the body throws undoes the chunk. The state is asked for after its last object and saved
  /// with it.
  package func chunk(
    state: () throws -> [UInt8]?, _ body: (SourceObject) throws -> Void
  ) throws -> Bool {
    try chunk(state) { try hand(over: body) }
  }

  /// Has the next rows moved, where the script computes values alone; false when there are none
  /// left.
  package func chunk(
    of rows: ScriptedRows, state: () throws -> [UInt8]?,
    _ body: (ScriptedRowPass, ChunkLimits) throws -> ScriptedRows.Chunk
  ) throws -> Bool {
    try chunk(state) {
      let before = try builder.size()
      defer { reader.leave() }
      let pass = try ScriptedRowPass(rows, after: row.last, builder, reader)
      let moved = try body(pass, limits)
      var next = row
      next.rows += moved.rows
      next.made += moved.rows
      if moved.rows > 0 { next.last = moved.last }
      next.isDone = moved.isDone
      next.bytes += max(0, try builder.size() - before)
      return next
    }
  }

  private func chunk(
    _ state: () throws -> [UInt8]?, _ body: () throws -> ProgressRow
  ) throws -> Bool {
    guard !row.isDone else { return false }
    try indexes.make()
    row = try builder.telling("cannot copy the objects", "entity \(entity)") {
      try builder.connection.transaction {
        var next = try body()
        next.state = try state()
        try builder.record(next)
        return next
      }
    }
    return !row.isDone
  }

  /// Undoes what is done for one object when the body throws, and throws that.
  ///
  /// What the body makes is written at its end, or when something else of the store is asked for.
  package func savepoint(_ body: () throws -> Void) throws {
    unwritten.isGathering = true
    defer {
      unwritten.isGathering = false
      unwritten.forget()
    }
    try builder.telling("cannot copy the objects", "entity \(entity)") {
      try builder.connection.transaction {
        try body()
        try unwritten.write()
      }
    }
  }

  /// An object of the source, by which a link leads to it; nil when it is not there.
  package func source(_ id: ObjectID) throws -> SourceObject? {
    try reader.has(id) ? SourceObject(id, reader) : nil
  }
}

extension ScriptedCopy {
  private func hand(over body: (SourceObject) throws -> Void) throws -> ProgressRow {
    let before = try builder.size()
    let start = ContinuousClock.now
    indexes.isReading = true
    defer { indexes.isReading = false }
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
      if unmeasured >= pause(rows, next.bytes - row.bytes) {
        next.bytes = row.bytes + max(0, try builder.size() - before)
        unmeasured = 0
      }
      if rows >= limits.rows || next.bytes - row.bytes >= limits.bytes
        || start.duration(to: .now) >= limits.time
      {
        return next
      }
    }
    next.bytes = row.bytes + max(0, try builder.size() - before)
    next.isDone = true
    return next
  }

  /// The rows until the file is measured again: no more than there were, and than a tenth of what
  /// is left would hold.
  private func pause(_ rows: Int, _ bytes: Int) -> Int {
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
