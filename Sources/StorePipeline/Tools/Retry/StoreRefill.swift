internal import CoreDataStore
internal import Lua
internal import StoreMigration
internal import StoreReplacement

/// Makes objects that were rejected in a copy of the store, with their links, by scripts.
struct StoreRefill {
  /// What it needs of the run in addition to its stores.
  struct Help {
    let stages: StageRegistry
    let canceller: LuaCanceller
    let log: RunLog
  }

  /// What happened to the objects.
  struct Result {
    var entities: [RetrySummary.Entity] = []
    /// Those that wait no longer, by entity.
    var done: [String: [Int64]] = [:]
    /// Those that failed again.
    var failed: [Reject] = []
    /// How many were made or left out by the script.
    var made: Int { done.values.reduce(0) { $0 + $1.count } }
  }

  private let source: KeptSource
  private let rejects: WaitingObjects
  private let id: RunID
  private let folder: WorkFolder
  private let help: Help
  private let step: PlannedStep
  private let schema: StoreSchema
  private let builder: StoreBuilder
  private let externals: [String]

  /// Makes the store ready that the objects come from, and the copy that they go into.
  init(
    _ source: KeptSource, _ rejects: WaitingObjects, _ id: RunID, _ folder: WorkFolder,
    _ help: Help
  ) async throws {
    (self.source, self.rejects, self.id) = (source, rejects, id)
    (self.folder, self.help) = (folder, help)
    guard let step = source.plan.steps.last else {
      throw Failure.defect(
        "the plan of the run has no step", what: "cannot retry the rejected objects",
        subject: folder.store)
    }
    self.step = step
    schema = source.schema
    let old = try StoreFiles(source.backup.mainPath).externalDataFolder
    let steps = folder.refillSteps(externals: old)
    let isChain = source.plan.steps.count > 1
    if isChain { try await source.makeSteps(in: steps, help.stages, help.canceller) }
    externals = (isChain ? [steps.nextExternals] : []) + [old]
    let numbers = rejects.keys.compactMap { name, keys in
      step.sourceSchema.entity(named: name).map { ($0.number, keys) }
    }
    let associations = folder.associations(ofStep: source.plan.steps.count - 1)
    try RefilledStore.open(
      folder.nextPath, associations: PipelinePath.exists(associations) ? associations : nil,
      keys: Dictionary(numbers) { $0 + $1 })
    let from = isChain ? steps.nextPath : folder.basisPath
    builder = try StoreBuilder(
      at: folder.nextPath, source: from, sourceSchema: step.sourceSchema, mapping: step.mapping,
      targetSchema: schema, contents: try NewStoreContents(like: from, to: step.to, cache: .none),
      externalFolder: old, newExternals: folder.nextExternals,
      earlierExternals: isChain ? steps.nextExternals : nil)
  }

  /// Makes them, and makes the copy a whole store again.
  func run() throws -> Result {
    help.log.start(stage: RunLog.transform)
    let scripts = try step.scripts.filter { rejects.keys[$0.entity] != nil }.map(make)
    for script in scripts {
      try script.copy.savepoint {
        for key in rejects.keys[script.entity] ?? [] {
          try script.copy.restoreLinks(of: ObjectID(entity: script.entity, key: key))
        }
      }
    }
    for script in scripts { try script.relate(help.log.progress) }
    for script in scripts { try script.finish() }
    let result = try result(scripts)
    try finish(result)
    help.log.finish(stage: RunLog.transform)
    return result
  }

  /// What the script makes of the objects of its entity; it sees the date of the earlier run.
  private func make(_ script: PlannedScript) throws -> ScriptRun {
    let earlier = RunID(text: source.kept.basis)
    var options = ScriptOptions(
      runID: earlier.text, now: earlier.start, rejectsPath: folder.againRejectsPath)
    options.onError = .reject
    options.params = script.transform.params
    options.canceller = help.canceller
    let run = try ScriptRun(script.outline, builder, entity: script.entity, options)
    repeat { try help.log.progress(run.progress) } while try run.chunk()
    help.log.warn(of: script.outline.path, run.warnings, count: run.counts.warnings)
    return run
  }

  private func result(_ scripts: [ScriptRun]) throws -> Result {
    var result = Result()
    if PipelinePath.exists(folder.againRejectsPath) {
      let store = try RejectStore(path: folder.againRejectsPath)
      try store.forEach(run: source.kept.basis) { result.failed.append($0) }
      try store.close()
    }
    for script in scripts.sorted(by: { $0.entity < $1.entity }) {
      let failed = Set(result.failed.filter { $0.entity == script.entity }.map(\.key))
      let done = (rejects.keys[script.entity] ?? []).filter { !failed.contains($0) }
      result.done[script.entity] = done
      result.entities.append(
        RetrySummary.Entity(
          name: script.entity, made: done.count - script.counts.skipped,
          skipped: script.counts.skipped, failed: failed.count))
    }
    return result
  }

  private func finish(_ result: Result) throws {
    let record = RunRecord(
      id, tool: LibraryVersions.own, source.plan,
      objects: rejects.keys.values.reduce(0) { $0 + $1.count }, made: result.made,
      of: source.kept.basis)
    try folder.placeExternals(try builder.externals(), from: externals.last ?? "")
    let warnings = try RefilledStore.finish(
      builder, record: record.plist,
      associations: folder.associations(ofStep: source.plan.steps.count - 1))
    for warning in warnings { help.log.warn("\(warning)") }
    for folder in externals { try self.folder.placeRefilledExternals(from: folder) }
  }

  /// The rules that the store breaks with the new objects, and did not break without them.
  func newFailures(limit: Int) throws -> [RunSummary.BrokenRule] {
    func validate(_ path: String) throws -> ValidationResult {
      try Validation(
        store: path, schema: schema, choices: Validation.Choices(limit: Self.mostCompared)
      ).run()
    }
    let now = try validate(folder.nextPath)
    guard now.errors > 0 else { return [] }
    let before = Set(try validate(folder.sourcePath).failures)
    return now.failures.filter { !before.contains($0) }.prefix(limit).map { failure in
      RunSummary.BrokenRule(
        entity: failure.entity, key: failure.key, property: failure.property, rule: failure.rule,
        isInSource: false)
    }
  }

  /// A store that breaks more rules than these had better be mended first.
  private static let mostCompared = 10_000
}
