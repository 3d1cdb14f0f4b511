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
    /// Those that wait no longer, by the name of the step and entity.
    var done: [String: [String: [Int64]]] = [:]
    /// Those that failed again.
    var failed: [Reject] = []
    /// Those that cannot be in the store: then nothing is of any use, and it is done again without
    /// them.
    var leftBehind: [(origin: StepRefill.Origin, reject: Reject)] = []
    /// What was put in, each with the object that it came from; nil for what a script made from
    /// none.
    fileprivate(set) var objects: [ObjectID: StepRefill.Origin?] = [:]
    /// How many were made or left out by the script.
    var made: Int { done.values.flatMap(\.values).reduce(0) { $0 + $1.count } }
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
    let again = StepsAgain(source, rejects, in: steps, keptIn: folder, help)
    if last > 0 { try await again.make() }
    let highest = try again.highestKey(besides: folder.nextPath)
    if last > 0 { passage = try again.pass(rejects.keys, above: highest) }
    let given = passage.given(rejects.keys[last], in: last)
    guard passage.rejectedLater.isEmpty else { return later(passage) }
    let builder = try builder(steps, old, given, above: highest)
    let refill = StepRefill(
      step: step, builder: builder, objects: given, earlier: RunID(text: source.kept.basis),
      rejectsPath: folder.againRejectsPath, help: help)
    let result = try refill.run()
    for reject in result.failed { try passage.note(reject, given, last, step) }
    guard passage.rejectedLater.isEmpty else {
      try builder.close()
      return later(passage)
    }
    try refill.revise(result.made.keys, of: source)
    let surplus = try surplus(of: result.made, in: builder)
    guard surplus.isEmpty else {
      try builder.close()
      return Result(leftBehind: surplus)
    }
    passage.leaveOut(result.leftOut, given, last)
    var found = self.result(passage)
    found.objects = result.made
    try finish(found, builder, steps, old, above: highest)
    help.log.finish(stage: RunLog.transform)
    return found
  }

  private func later(_ passage: StepsAgain.Passage) -> Result {
    Result(
      leftBehind: passage.rejectedLater.map { origin, reject in
        (origin, source.plan.rejection(of: origin, by: reject))
      })
  }

  /// What shares values, when the stages are done, that no two objects may share.
  private func surplus(
    of made: [ObjectID: StepRefill.Origin?], in builder: StoreBuilder
  ) throws -> [(origin: StepRefill.Origin, reject: Reject)] {
    try RefilledStore.surplus(in: builder).map { object, reason in
      try behind(made[object] ?? nil, object, reason)
    }
  }

  /// An object that cannot be in the store, with the reason.
  private func behind(
    _ origin: StepRefill.Origin?, _ object: ObjectID, _ reason: String
  ) throws -> (origin: StepRefill.Origin, reject: Reject) {
    guard let origin else {
      throw Failure(
        .misuse, what: "cannot retry the objects", subject: "\(object.entity) \(object.key)",
        why: "\(reason), and a script made it from no object in particular.",
        remedy: "Correct the script, and give the same command again.")
    }
    return (
      origin,
      Reject(
        entity: origin.object.entity, key: origin.object.key, reason: reason,
        script: source.plan.script(of: origin) ?? "", line: 0, values: [],
        step: source.plan.steps[origin.step].to.name)
    )
  }

  /// The copy of the store, ready for the objects of the last step.
  private func builder(
    _ steps: WorkFolder, _ old: String, _ given: [ObjectID: StepRefill.Origin?],
    above highest: Int64
  ) throws -> StoreBuilder {
    try RefilledStore.open(
      folder.nextPath, associations: PipelinePath.exists(associations) ? associations : nil,
      keys: step.numbers(of: given.keys), schema, above: highest)
    let from = last > 0 ? steps.nextPath : folder.basisPath
    let builder = try StoreBuilder(
      at: folder.nextPath, source: from, sourceSchema: step.sourceSchema, mapping: step.mapping,
      targetSchema: schema, contents: try NewStoreContents(like: from, to: step.to, cache: .none),
      externalFolder: old, newExternals: folder.nextExternals,
      earlierExternals: last > 0 ? steps.nextExternals : nil)
    if !step.revisions.isEmpty { try RefilledStore.eraseWhatGoes(in: builder) }
    return builder
  }

  /// What happened to the objects, each counted where it was rejected.
  private func result(_ passage: StepsAgain.Passage) -> Result {
    var result = Result(failed: passage.failed)
    var entities: [String: RetrySummary.Entity] = [:]
    for (step, keys) in rejects.keys.enumerated() {
      func origin(_ name: String, _ key: Int64) -> StepRefill.Origin {
        StepRefill.Origin(step: step, object: ObjectID(entity: name, key: key))
      }
      for (name, keys) in keys {
        let done = keys.filter { !passage.failedOrigins.contains(origin(name, $0)) }
        let skipped = done.count { passage.leftOut.contains(origin(name, $0)) }
        result.done[source.plan.steps[step].to.name, default: [:]][name] = done
        var entity = entities[name] ?? RetrySummary.Entity(name: name)
        entity.made += done.count - skipped
        entity.skipped += skipped
        entity.failed += keys.count - done.count
        entities[name] = entity
      }
    }
    result.entities = entities.values.sorted { $0.name < $1.name }
    return result
  }

  private func finish(
    _ result: Result, _ builder: StoreBuilder, _ steps: WorkFolder, _ old: String,
    above highest: Int64
  ) throws {
    let record = RunRecord(
      id, tool: LibraryVersions.own, source.plan, objects: rejects.count, made: result.made,
      of: source.kept.basis, above: highest)
    try builder.renameExternals(since: folder.sourcePath, in: folder.externals)
    try folder.placeExternals(try builder.externals(), from: old)
    let warnings = try RefilledStore.finish(
      builder, record: record.plist, associations: associations)
    for warning in warnings { help.log.warn("\(warning)") }
    for from in (last > 0 ? [steps.nextExternals] : []) + [old] {
      try folder.placeRefilledExternals(from: from)
    }
  }

  /// The rules that the store breaks with the new objects, and did not break without them; those
  /// that a new object breaks itself with the object that it came from.
  func newFailures(
    _ result: Result, limit: Int
  ) throws -> (
    rules: [RunSummary.BrokenRule], breaking: [(origin: StepRefill.Origin, reject: Reject)]
  ) {
    func validate(_ path: String) throws -> ValidationResult {
      try Validation(
        store: path, schema: schema, choices: Validation.Choices(limit: Self.mostCompared)
      ).run()
    }
    let now = try validate(folder.nextPath)
    guard now.errors > 0 else { return ([], []) }
    let earlier = try validate(folder.sourcePath)
    guard now.errors <= Self.mostCompared else {
      guard now.countsByRule == earlier.countsByRule else { throw tooManyBroken(now.errors) }
      return ([], [])
    }
    let before = Set(earlier.failures)
    let new = now.failures.filter { !before.contains($0) }
    let rules = new.prefix(limit).map { failure in
      RunSummary.BrokenRule(
        entity: failure.entity, key: failure.key, property: failure.property, rule: failure.rule,
        isInSource: false)
    }
    let breaking = try new.compactMap { failure in
      let object = ObjectID(entity: failure.entity, key: failure.key)
      return try result.objects[object].flatMap(\.self).map { origin in
        try behind(
          origin, object,
          "\(object.entity).\(failure.property) would break a rule of the model: \(failure.rule)")
      }
    }
    return (rules, breaking)
  }

  /// How many broken rules are compared one by one; above that they are only counted.
  private static let mostCompared = 10_000

  private func tooManyBroken(_ count: Int) -> Failure {
    Failure(
      .unusable, what: "cannot retry the objects", subject: folder.store,
      why: "With the objects the store would break \(count) rules of the model, more than it does "
        + "without them; above \(Self.mostCompared) it cannot be said which objects do.",
      remedy: "Correct the scripts, or the objects in the store that break most of them, first.")
  }
}

extension Plan {
  /// The script that has rejected an object.
  fileprivate func script(of origin: StepRefill.Origin) -> String? {
    steps[origin.step].scripts.first { $0.entity == origin.object.entity }?.outline.path
  }

  /// The rejection of an object by a later step: the next retry has to begin in its own step again.
  fileprivate func rejection(of origin: StepRefill.Origin, by reject: Reject) -> Reject {
    let later = steps.dropFirst(origin.step + 1).first { step in
      step.scripts.contains { $0.entity == reject.entity && $0.outline.path == reject.script }
    }
    let name = reject.step ?? later?.to.name
    var own = reject
    (own.entity, own.key) = (origin.object.entity, origin.object.key)
    own.reason =
      "\(reject.reason) (\(reject.entity) \(reject.key)"
      + (name.map { " in the step to '\($0)'" } ?? "") + ")"
    own.step = steps[origin.step].to.name
    return own
  }
}
