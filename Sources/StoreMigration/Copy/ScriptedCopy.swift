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
  private(set) var pace: ChunkPace
  private(set) var row: ProgressRow
  var makers: [String: DefaultObject] = [:]
  var forms: SearchForms
  let values: ObjectValues
  let unwritten: UnwrittenObjects

  /// Continues where an earlier run stopped.
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
    pace = ChunkPace(limits)
    self.row = row
    reader = SourceReader(builder)
    targetReader = SourceReader(targetOf: builder)
    assigned = AssignedLinks(builder)
    values = ObjectValues(
      schema: builder.targetSchema, external: builder.external, staged: builder.stagedValues)
    indexes = LinkIndexes(builder)
    unwritten = UnwrittenObjects(builder)
    forms = SearchForms(builder)
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

  /// Does a chunk: one transaction, with its progress and what the script wants to find again.
  func chunk(
    _ state: () throws -> [UInt8]?, _ body: () throws -> ProgressRow
  ) throws -> Bool {
    guard !row.isDone else { return false }
    try indexes.make()
    indexes.isReading = true
    defer { indexes.isReading = false }
    let start = SuspendingClock.now
    let before = row.bytes
    // Saving costs the same however many rows a chunk has: it must not make chunks smaller.
    var time = Duration.zero
    row = try builder.telling("cannot copy the objects", "entity \(entity)") {
      try builder.connection.transaction {
        var next = try body()
        time = start.duration(to: .now)
        next.state = try state()
        try builder.record(next)
        return next
      }
    }
    pace.note(bytes: row.bytes - before, time: time)
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
