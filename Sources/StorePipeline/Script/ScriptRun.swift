internal import CoreDataStore
import Foundation
import Lua
package import StoreMigration

/// One script at work on the objects of one entity.
///
/// ``chunk()`` until it is false, then, when all entities' objects are there, ``relate(_:)``, and
/// ``finish()`` at the end. A run that was killed resumes where the last chunk ended.
///
/// It belongs to one task at a time; the Lua of each call runs on a thread with a stack for it.
package final class ScriptRun: EntityCopy {
  let outline: ScriptOutline
  /// The source entity whose objects the script is given.
  let entity: String
  /// What the mapping alone makes of them; nil when that is nothing.
  let mapping: ObjectMapping?
  let options: ScriptOptions
  let copy: ScriptedCopy
  let stores: CopyStores
  let driver: ScriptCaller
  let file: ScriptFile
  var host: ScriptHost { driver.host }

  /// How a loop moves the rows, where the script computes values alone.
  private let loop: ScriptLoopPlan?
  /// What calls its functions ahead of that loop; nil where it is not worth it.
  private var workers: AttributeWorkers?
  /// What runs `create` ahead of the one that writes; nil where it is not worth it.
  private(set) var creators: CreateWorkers?
  /// The rows of this process for which one of these workers has run the script ahead.
  package internal(set) var takenAhead = 0
  private let builder: StoreBuilder
  var waiting: [Reject] = []
  /// Which of the entity's objects is the current one, counted from 1.
  var row = 0
  /// The decimals that had lost digits, and the warnings that were given, before this process.
  private var base = ScriptCounts()
  private var hasBegun = false
  /// How far `relate` has come; nil until all objects are made.
  private var related: ProgressRow?

  /// What has happened to the objects so far.
  package internal(set) var counts = ScriptCounts()
  /// The first objects that it failed on, when the run continued.
  package internal(set) var failures: [ScriptFailure] = []
  /// The script's first warnings.
  package var warnings: [ScriptWarning] { host.warnings.kept }
  /// How far the making of objects has come.
  package var progress: CopyProgress { copy.progress }
  /// The objects that no condition let pass.
  package var leftOut: Int { progress.total - progress.rows }

  /// Objects that are related in one transaction.
  private static let relatedAtOnce = 500

  /// Loads a script for the objects of a source entity.
  ///
  /// - Throws: ``Problem`` when it cannot be loaded, `Failure` for the stores.
  package init(
    _ outline: ScriptOutline, _ builder: StoreBuilder, entity: String,
    _ options: ScriptOptions, limits: ChunkLimits = ChunkLimits()
  ) throws {
    let mapping = builder.mapping.objects(from: entity)
    (self.outline, self.entity, self.mapping, self.options) = (outline, entity, mapping, options)
    self.builder = builder
    copy = try ScriptedCopy(builder, entity: entity, limits: limits)
    stores = CopyStores(
      copy, source: builder.sourceSchema.model, target: builder.targetSchema.model,
      builder.mapping)
    file = try ScriptFile(path: outline.path)
    let (file, stores) = (file, stores)
    let driver = try ScriptThread.lend { try Self.driver(file, stores, outline, mapping, options) }
    self.driver = driver
    loop =
      outline.makesObjects || !builder.computesRows(of: entity)
      ? nil : try ScriptLoopPlan(entity, builder, driver, reads: outline.reads)
    related = try builder.progress(of: "relate \(entity)")
    try ScriptThread.lend {
      workers = try loop.flatMap {
        try AttributeWorkers(for: $0, copy, builder, driver, options)
      }
      creators = try CreateWorkers(for: copy, driver, stores, outline, mapping, options)
      try resume()
    }
  }

  private static func driver(
    _ file: ScriptFile, _ stores: any ScriptStores, _ outline: ScriptOutline,
    _ mapping: ObjectMapping?, _ options: ScriptOptions
  ) throws -> ScriptCaller {
    do {
      let world = try LoadedScript(
        file, params: options.params, limits: options.limits, canceller: options.canceller)
      let host = ScriptHost(world, stores, creates: outline.creates, runID: options.runID)
      let now = options.now.timeIntervalSinceReferenceDate
      return try ScriptCaller(world, host, mapping, outline, now: now)
    } catch let error as LuaError {
      throw file.problem(error)
    }
  }

  /// Takes up what the last chunk of an earlier process saved.
  private func resume() throws {
    guard let bytes = related?.state ?? copy.savedState else { return }
    let saved = try ScriptSavedState(bytes)
    try driver.restore(saved.state)
    (counts, base, hasBegun) = (saved.counts, saved.counts, true)
  }
}

extension ScriptRun {
  /// Makes the objects of the next chunk; false when there are none left.
  package func chunk() throws -> Bool {
    try ScriptThread.lend {
      try begin()
      row = copy.rows
      let goesOn = try makeNext()
      if !goesOn {
        endWorkers()
        try endCreation()
      }
      return goesOn
    }
  }

  /// Ends the threads that run the script ahead, and closes what they read; from now on all is done
  /// here.
  package func endWorkers() {
    workers?.stop()
    creators?.stop()
    (workers, creators) = (nil, nil)
  }

  private func makeNext() throws -> Bool {
    guard let loop else { return try copy.chunk(state: savedState) { try make($0) } }
    return try copy.chunk(of: loop.rows, state: savedState) { pass, limits in
      try make(ScriptLoop(loop, pass, limits, driver, stores, workers), pass)
    }
  }

  private func begin() throws {
    guard !hasBegun else { return }
    hasBegun = true
    try call(.begin)
  }

  /// Calls `created`, once: what it leaves is what `relate` begins with.
  private func endCreation() throws {
    guard related == nil else { return }
    try copy.savepoint {
      try call(.created)
      let row = ProgressRow(unit: "relate \(entity)", state: try savedState())
      try builder.record(row)
      related = row
    }
  }

  /// Relates the objects that were made, when all objects of all entities are there.
  package func relate(_ report: (CopyProgress) throws -> Void = { _ in }) throws {
    guard !outline.hooks.isDisjoint(with: [.relate, .related]) else { return }
    while let row = related, !row.isDone {
      related = try ScriptThread.lend { try relate(after: row) }
      let total = counts.made.values.reduce(0, +)
      try report(
        CopyProgress(entity: entity, rows: row.rows, total: total, bytes: row.bytes))
    }
  }

  private func relate(after row: ProgressRow) throws -> ProgressRow {
    var next = row
    try copy.savepoint {
      let made =
        outline.hooks.contains(.relate)
        ? try copy.made(after: row.last, limit: Self.relatedAtOnce) : []
      for (place, object) in made {
        try relate(object)
        next.last = place
        next.rows += 1
      }
      if made.isEmpty {
        try call(.related)
        next.isDone = true
      }
      next.state = try savedState()
      try builder.record(next)
    }
    return next
  }

  /// Calls `validate` and `finish`, when everything else is done.
  package func finish() throws {
    try ScriptThread.lend {
      try copy.savepoint {
        try call(.validate)
        try call(.finish)
      }
    }
  }

  /// What to save with a chunk; the rejected objects are on disk before it commits.
  private func savedState() throws -> [UInt8]? {
    counts.rounded = base.rounded + host.objects.rounded
    counts.warnings = base.warnings + host.warnings.count
    if !waiting.isEmpty, let path = options.rejectsPath {
      // It is closed each time: another script of the step may reject objects, too.
      let store = try RejectStore(path: path)
      try store.add(waiting, run: options.runID)
      try store.close()
    }
    waiting = []
    return try ScriptSavedState(stateToSave(), counts).bytes()
  }
}
