internal import CoreDataStore
internal import Lua
internal import StoreMigration
internal import StoreReplacement

/// Makes objects that were rejected in a copy of the store, with their links: by the script that
/// rejected them, and by every step after it.
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
    /// Those that a later step failed on: then nothing is of any use, and it is done again without
    /// them.
    var rejectedLater: [(origin: StepRefill.Origin, reject: Reject)] = []
    /// How many were made or left out by the script.
    var made: Int { done.values.reduce(0) { $0 + $1.count } }
  }

  private let source: KeptSource
  private let rejects: WaitingObjects
  private let id: RunID
  private let folder: WorkFolder
  private let help: Help
  private let step: PlannedStep
  private var schema: StoreSchema { source.schema }
  private var last: Int { source.plan.steps.count - 1 }
  /// The file of the associations that the last step has kept, and keeps.
  private var associations: String { folder.associations(ofStep: last) }

  init(
    _ source: KeptSource, _ rejects: WaitingObjects, _ id: RunID, _ folder: WorkFolder,
    _ help: Help
  ) throws {
    (self.source, self.rejects, self.id) = (source, rejects, id)
    (self.folder, self.help) = (folder, help)
    guard let step = source.plan.steps.last else {
      throw Failure.defect(
        "the plan of the run has no step", what: "cannot retry the rejected objects",
        subject: folder.store)
    }
    self.step = step
  }

  /// Makes them, and makes the copy a whole store again.
  func run() async throws -> Result {
    help.log.start(stage: RunLog.transform)
    let old = try StoreFiles(source.backup.mainPath).externalDataFolder
    let steps = folder.refillSteps(externals: old)
    var passage = StepsAgain.Passage()
    var highest: Int64?
    if last > 0 {
      let again = StepsAgain(source, rejects, in: steps, keptIn: folder, help)
      try await again.make()
      let above = try again.highestKey(besides: folder.nextPath)
      passage = try again.pass(rejects.keys, above: above)
      highest = above
    }
    let given = passage.given(rejects.keys[last], in: last)
    guard passage.rejectedLater.isEmpty else { return later(passage) }
    let builder = try builder(steps, old, given)
    let result = try StepRefill(
      step: step, builder: builder, objects: given, earlier: RunID(text: source.kept.basis),
      rejectsPath: folder.againRejectsPath, help: help
    ).run()
    for reject in result.failed { try passage.note(reject, given, last, step) }
    guard passage.rejectedLater.isEmpty else {
      try builder.close()
      return later(passage)
    }
    passage.leftOut.formUnion(result.leftOut.filter { given[$0]??.step == last })
    let found = self.result(passage)
    try finish(found, builder, steps, old, above: highest)
    help.log.finish(stage: RunLog.transform)
    return found
  }

  private func later(_ passage: StepsAgain.Passage) -> Result {
    Result(rejectedLater: passage.rejectedLater)
  }

  /// The copy of the store, ready for the objects of the last step.
  private func builder(
    _ steps: WorkFolder, _ old: String, _ given: [ObjectID: StepRefill.Origin?]
  ) throws -> StoreBuilder {
    try RefilledStore.open(
      folder.nextPath, associations: PipelinePath.exists(associations) ? associations : nil,
      keys: step.numbers(of: given.keys))
    let from = last > 0 ? steps.nextPath : folder.basisPath
    return try StoreBuilder(
      at: folder.nextPath, source: from, sourceSchema: step.sourceSchema, mapping: step.mapping,
      targetSchema: schema, contents: try NewStoreContents(like: from, to: step.to, cache: .none),
      externalFolder: old, newExternals: folder.nextExternals,
      earlierExternals: last > 0 ? steps.nextExternals : nil)
  }

  /// What happened to the objects, each counted where it was rejected.
  private func result(_ passage: StepsAgain.Passage) -> Result {
    var result = Result(failed: passage.failed)
    let failed = Set(passage.failed.map { ObjectID(entity: $0.entity, key: $0.key) })
    var entities: [String: RetrySummary.Entity] = [:]
    for (name, keys) in rejects.keys.flatMap(\.self) {
      let done = keys.filter { !failed.contains(ObjectID(entity: name, key: $0)) }
      let skipped = done.count { passage.leftOut.contains(ObjectID(entity: name, key: $0)) }
      result.done[name, default: []] += done
      var entity = entities[name] ?? RetrySummary.Entity(name: name)
      entity.made += done.count - skipped
      entity.skipped += skipped
      entity.failed += keys.count - done.count
      entities[name] = entity
    }
    result.entities = entities.values.sorted { $0.name < $1.name }
    return result
  }

  private func finish(
    _ result: Result, _ builder: StoreBuilder, _ steps: WorkFolder, _ old: String,
    above highest: Int64?
  ) throws {
    let record = RunRecord(
      id, tool: LibraryVersions.own, source.plan, objects: rejects.count, made: result.made,
      of: source.kept.basis, above: highest)
    try folder.placeExternals(try builder.externals(), from: old)
    let warnings = try RefilledStore.finish(
      builder, record: record.plist, associations: associations)
    for warning in warnings { help.log.warn("\(warning)") }
    for from in (last > 0 ? [steps.nextExternals] : []) + [old] {
      try folder.placeRefilledExternals(from: from)
    }
    let revising = Set(source.plan.steps.flatMap(\.revisions).map(\.stage)).sorted()
    guard !revising.isEmpty, result.made > 0 else { return }
    help.log.warn(
      "the stage \(revising.joined(separator: ", ")) has not changed the objects that were put in")
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

  /// A store that breaks more rules than these had better be corrected first.
  private static let mostCompared = 10_000
}
