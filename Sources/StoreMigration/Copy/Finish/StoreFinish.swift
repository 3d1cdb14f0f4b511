internal import CoreDataStore
internal import Formats
internal import Foundation
internal import SQLite
internal import Synchronization

/// Completes a store whose objects and links are there.
///
/// Each step is one transaction that notes itself as done; a killed run resumes with the next.
/// Those of a small store share transactions. When it is through, the file is a store like one that
/// Core Data made, closed, without a journal.
package final class StoreFinish {
  private let builder: StoreBuilder
  private let choices: FinishChoices
  private var summary = FinishSummary()
  private var connection: Connection { builder.connection }

  /// The last work on a store that is being built.
  package init(_ builder: StoreBuilder, _ choices: FinishChoices) {
    self.builder = builder
    self.choices = choices
  }

  /// The steps, in the order in which they must be done.
  private enum Step: String, CaseIterable {
    case history
    case mirror = "CloudKit"
    case keys = "highest keys"
    case indexes
    case derived = "derived attributes"
    case metadata
    case triggers
  }

  /// Does the work and closes the store.
  package func run(
    progress: (CopyProgress) throws -> Void = { _ in }
  ) throws -> FinishSummary {
    let total = Step.allCases.count
    var done = 0
    for steps in try groups {
      try builder.telling("cannot finish the new store", builder.path) { try run(steps) }
      let bytes = try builder.size()
      for step in steps {
        done += 1
        try progress(
          CopyProgress(entity: step.rawValue, rows: done, total: total, bytes: bytes))
      }
    }
    try builder.telling("cannot read the counts", builder.path) {
      try HistoryCopy(builder: builder).report(choices.history, &summary)
      if choices.carriesMirror { try MirrorCopy(builder: builder).report(&summary) }
    }
    summary.warnings += try builder.telling("cannot read the counts", builder.path) {
      try UnknownDerivedValues(builder: builder).warnings
        + NotedValues(builder).warnings() + DamagedIndexes(builder).warnings()
    }
    try builder.telling("cannot finish the new store", builder.path) { try end() }
    try builder.close()
    return summary
  }

  /// The steps by the transactions that they share.
  ///
  /// In a small store a commit costs more than most of the steps do. Those up to the indexes are
  /// committed before these: the proof of indexes reads what is committed.
  private var groups: [[Step]] {
    get throws {
      guard try builder.size() <= Self.small else { return Step.allCases.map { [$0] } }
      return [[.history, .mirror, .keys], [.indexes, .derived, .metadata, .triggers]]
    }
  }

  private static let small = 4 << 20

  private func run(_ steps: [Step]) throws {
    let left = try steps.filter { try builder.progress(of: unit(of: $0))?.isDone != true }
    guard !left.isEmpty else { return }
    let proved = left.contains(.indexes) ? try KeptIndexes(builder).proved() : []
    try connection.transaction {
      for step in left {
        try run(step, proved)
        try builder.record(ProgressRow(unit: unit(of: step), isDone: true))
      }
    }
  }

  private func unit(of step: Step) -> String { "finish \(step.rawValue)" }

  private func run(_ step: Step, _ proved: Set<String>) throws {
    switch step {
    case .history: try history()
    case .mirror: if choices.carriesMirror { try MirrorCopy(builder: builder).carry() }
    case .keys: try Self.raiseKeys(connection, builder.targetSchema)
    case .indexes: try indexes(proved)
    case .derived: try derive()
    case .metadata: try FinishedMetadata(builder: builder, choices: choices).write()
    case .triggers: try builder.store.make(.triggers)
    }
  }

  private func history() throws {
    let history = HistoryCopy(builder: builder)
    switch choices.history {
    case .keep, .truncate:
      try history.keep(isTruncated: choices.history == .truncate)
      // Raised first, so that the mark has a key that no transaction ever had: an application may
      // have kept one as a token.
      try history.raiseKeys()
      if let time = choices.marksHistory {
        try history.mark(at: time)
        try history.raiseKeys()
      }
    case .drop: try history.drop()
    }
  }

  /// Z_MAX is the highest key there ever was; scripts and copies may have used higher ones.
  static func raiseKeys(_ connection: Connection, _ schema: StoreSchema) throws {
    for table in schema.tables {
      guard let number = schema.entity(named: table.root)?.number else { continue }
      try connection.run(
        """
        UPDATE main.Z_PRIMARYKEY
        SET Z_MAX = max(ifnull(Z_MAX, 0), ifnull((SELECT max(Z_PK) FROM main.\(table.name)), 0))
        WHERE Z_ENT = ?1
        """, [.integer(Int64(number))])
    }
  }

  private func indexes(_ proved: Set<String>) throws {
    // A store that began as a clone has some already.
    for index in try KeptIndexes(builder).giveBack(proved) {
      try DamagedIndexes(builder).note(index)
    }
    let there = Set(try Schema(of: connection).objects(of: .index).map(\.name))
    let broken = try UniqueValues(connection, builder.targetSchema).broken(besides: there)
    try builder.store.makeIndexes(
      without: there.union(broken.map(\.name)), keepsHistory: choices.history != .drop)
  }

  /// Our tables left pages behind, and those that a clone lost; at the end and between others.
  ///
  /// To find a page among those that are free takes as long as there are many: beyond a limit they
  /// stay, as Core Data lets them, for what is put into the store next.
  private func giveBackPages() throws {
    let free = Int(try connection.integer("PRAGMA main.freelist_count") ?? 0)
    if free <= Self.mostPages {
      return try connection.execute("PRAGMA main.incremental_vacuum")
    }
    let bytes = free * builder.store.contents.pageSize
    summary.warnings.append(
      StoreWarning(
        "free pages",
        "\(ByteSize.text(bytes)) of the new store are free; what is put in next uses them."))
  }

  private static let mostPages = 100_000

  /// A store that began with what another one had is what a new one would be.
  private func checkSchema() throws {
    let found = try Schema(of: connection)
    let new = try FreshSchema(builder.store)
    guard let difference = new.difference(from: found) else { return }
    throw Failure(
      .unusable, what: "cannot finish the new store", subject: builder.path,
      why: "Its schema is not that of a new store: \(difference).",
      remedy: "Say start = \"empty\" in the stage copy, and start over with --restart.")
  }

  private func derive() throws {
    try DerivedValues(
      connection: connection, schema: builder.targetSchema,
      now: choices.marksHistory ?? Date().timeIntervalSinceReferenceDate
    ).fill()
    try UnknownDerivedValues(builder: builder).keep()
  }

  /// The last things: nothing of ours stays but the entry in the log.
  ///
  /// A store without our tables counts as whole, see ``StoreBuilder/isWhole(_:madeBy:)``: unless it
  /// is revised nothing is left to do after the transaction that removes them.
  private func end() throws {
    if let path = choices.associations { try KeptAssociations.keep(of: builder, at: path) }
    try connection.transaction {
      try LinkIndexes.drop(connection)
      for table in BuilderTables.all + [BuilderTables.leftOut] {
        try connection.execute("DROP TABLE IF EXISTS main.\(table)")
      }
      if !choices.isRevised { try giveBackPages() }
      try checkSchema()
    }
    // It cannot be done "from within a transaction" (VACUUM).
    if choices.isRevised { try connection.execute("VACUUM main") }
    // A file in WAL mode would be half of a store when it is copied by itself.
    if !connection.isOverlay { try connection.execute("PRAGMA main.journal_mode = DELETE") }
    if choices.checksFile, let problem = try builder.problems().first {
      throw Failure(
        .refused, what: "cannot finish the new store", subject: builder.path,
        why: "The new file is damaged: \(problem).",
        remedy: "Check the disk, and run the migration again.")
    }
  }
}

/// The tables, indexes, views and triggers that a new store of a schema has.
///
/// It is read from such a store, made in memory, so that nothing has to be said twice; the stores
/// of a fleet are made by the same statements, and SQLite makes the same of them each time. The
/// tables of the history and of a mirror to CloudKit are left out: their columns depend on the
/// version of Core Data that made them.
struct FreshSchema {
  private let objects: [Text: SchemaObject]
  /// Indexes of uniqueness constraints, which are missing where objects share values.
  private let mayBeMissing: Set<String>

  private static let last = Mutex<(statements: [Text], objects: [Text: SchemaObject])?>(nil)

  /// The schema of a store that is being built.
  init(_ store: NewStore) throws {
    let statements = store.statements
    let known = Self.last.withLock { $0?.statements == statements ? $0?.objects : nil }
    objects = try known ?? Self.make(like: store)
    mayBeMissing = Set(store.schema.indexes.filter(\.isUnique).map(\.name))
    if known == nil { Self.last.withLock { [objects] in $0 = (statements, objects) } }
  }

  private static func make(like store: NewStore) throws -> [Text: SchemaObject] {
    let new = try NewStore(
      resuming: try Connection(inMemory: .own), schema: store.schema, contents: store.contents)
    for part in NewStore.Part.allCases { try new.make(part) }
    let objects = named(try Schema(of: new.connection))
    try new.close()
    return objects
  }

  private static func named(_ schema: Schema) -> [Text: SchemaObject] {
    let history = Set(HistoryCopy.tables)
    let own = schema.objects.filter {
      !history.contains($0.table) && !MirrorTables.has($0.table)
    }
    return Dictionary(own.map { (Text("\($0.kind.rawValue) \($0.name)"), $0) }) { first, _ in first
    }
  }

  /// The first object that one has and the other has not, or has otherwise; nil when there is none.
  func difference(from schema: Schema) -> String? {
    let found = Self.named(schema)
    let missing = objects.values.filter {
      !mayBeMissing.contains($0.name) && found[Text("\($0.kind.rawValue) \($0.name)")] == nil
    }
    if let missing = missing.min(by: { $0.name < $1.name }) {
      return "the \(missing.kind) \(missing.name) is missing"
    }
    for (name, object) in found.sorted(by: { $0.value.name < $1.value.name }) {
      guard let new = objects[name] else { return "the \(object.kind) \(object.name) is too many" }
      let isSame =
        object.table == new.table && object.sql.map { Text($0) } == new.sql.map { Text($0) }
      if !isSame { return "the \(object.kind) \(object.name) was made by another statement" }
    }
    return nil
  }
}
