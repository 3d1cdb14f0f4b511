internal import CoreDataStore
internal import StoreMigration
internal import StoreReplacement

/// The stores between the versions of a chain, or the last one, too, made again: as the run made
/// them, and with what retries have put in since.
///
/// Scripts may have been corrected. What they make of the objects that the run did not reject has
/// the keys that it had, or nothing is done: by these keys the objects of the store are found.
struct StepsAgain {
  private let source: KeptSource
  private let rejects: WaitingObjects
  private let folder: WorkFolder
  /// The folder with the associations that the run has kept.
  private let kept: WorkFolder
  private let help: StoreRefill.Help
  /// How many steps are made again.
  private let count: Int
  /// Whether the scripts are those of the run, which reject the same objects again: they may count
  /// what they are given.
  private let hasSameScripts: Bool

  init(
    _ source: KeptSource, _ rejects: WaitingObjects, in folder: WorkFolder,
    keptIn kept: WorkFolder, throughLast: Bool = false, hasSameScripts: Bool = false,
    _ help: StoreRefill.Help
  ) {
    (self.source, self.rejects, self.folder) = (source, rejects, folder)
    (self.kept, self.help, self.hasSameScripts) = (kept, help, hasSameScripts)
    count = source.plan.steps.count - (throughLast ? 0 : 1)
  }

  private var plan: Plan { source.plan }

  func make(workers: Int? = nil) async throws {
    var options = RunOptions(restarts: true)
    (options.run, options.folder, options.workers) = (source.kept.basis, folder, workers)
    let rejected = (0..<count).map(rejects.rejected(in:))
    let isWhole = hasSameScripts || rejected.allSatisfy(\.isEmpty)
    options.leavesOut = isWhole ? nil : rejected
    let run = Run(
      plan.first(count, source.stages), store: folder.store, options: options,
      stages: help.stages)
    _ = try await RunSession(run, help.canceller, { _ in }).run()
    guard !hasSameScripts else { return }
    try check()
    for earlier in rejects.settled {
      let passage = try pass(earlier.keys, above: earlier.highest ?? 0)
      guard passage.failed.isEmpty, passage.rejectedLater.isEmpty else {
        throw changed("fail on objects that an earlier retry has put in")
      }
    }
  }

  /// Sees that the scripts have made from the other objects what they made in the run.
  private func check() throws {
    if PipelinePath.exists(folder.rejectsPath) {
      let store = try RejectStore(path: folder.rejectsPath)
      defer { try? store.close() }
      guard try store.count(run: source.kept.basis) == 0 else {
        throw changed("reject objects that they did not reject")
      }
    }
    // What a retry has put in since is among those of the last step.
    for step in 0..<min(count, plan.steps.count - 1) {
      let files = [folder, kept].map { $0.associations(ofStep: step) }
        .map { PipelinePath.exists($0) ? $0 : nil }
      guard try KeptAssociations.areSame(files[0], files[1]) else {
        throw changed("make other objects from those that were not rejected")
      }
    }
  }

  private func changed(_ what: String) -> Failure {
    Failure(
      .misuse, what: "cannot retry the objects", subject: source.folder.store,
      why: "Since the run \(source.kept.basis) the scripts of earlier steps \(what): the objects "
        + "that are in the store could not be found by what is made now.",
      remedy: "Correct the scripts so that they differ for the rejected objects alone; or go back "
        + "with `\(source.folder.command("rollback"))` and run the pipeline again.")
  }

  /// What came of objects on their way to the last step.
  struct Passage {
    /// The objects that the last step is given.
    var objects: [ObjectID: StepRefill.Origin?] = [:]
    /// Those that their own script failed on again.
    var failed: [Reject] = []
    /// Those that a script of a later step failed on, with its reason.
    var rejectedLater: [(origin: StepRefill.Origin, reject: Reject)] = []
    /// Those that their own script left out.
    var leftOut: Set<StepRefill.Origin> = []
    /// The origins of those in `failed`.
    fileprivate(set) var failedOrigins: Set<StepRefill.Origin> = []
  }

  /// Takes rejected objects through the steps; what is made on the way has keys above `highest`.
  func pass(_ keys: WaitingObjects.Keys, above highest: Int64) throws -> Passage {
    var passage = Passage()
    for step in 0..<count {
      let given = passage.given(keys[step], in: step)
      passage.objects = [:]
      guard !given.isEmpty else { continue }
      let result = try refill(step, given, above: highest)
      passage.objects = result.made
      for reject in result.failed {
        try passage.note(reject, given, step, plan.steps[step])
      }
      passage.leaveOut(result.leftOut, given, step)
      // All of it is done again without them.
      guard passage.rejectedLater.isEmpty else { return passage }
    }
    return passage
  }

  /// The highest key in any of the stores, another one among them.
  func highestKey(besides store: String) throws -> Int64 {
    let paths = (0..<count).map { folder.path(ofStep: $0, of: count) }
    return try (paths + [store]).reduce(0) { max($0, try RefilledStore.highestKey(in: $1)) }
  }

  private func refill(
    _ number: Int, _ objects: [ObjectID: StepRefill.Origin?], above highest: Int64
  ) throws -> StepRefill.Result {
    let step = plan.steps[number]
    let path = folder.path(ofStep: number, of: count)
    let associations = folder.associations(ofStep: number)
    try RefilledStore.open(
      path, associations: PipelinePath.exists(associations) ? associations : nil,
      keys: step.numbers(of: objects.keys), step.targetSchema, above: highest)
    let old = try folder.externals
    let from = folder.source(ofStep: number, of: count)
    let builder = try StoreBuilder(
      at: path, source: from, sourceSchema: step.sourceSchema, mapping: step.mapping,
      targetSchema: step.targetSchema,
      contents: try NewStoreContents(like: from, to: step.to, cache: .none),
      externalFolder: old, newExternals: folder.nextExternals)
    let isLast = number == plan.steps.count - 1
    if isLast, !step.revisions.isEmpty { try RefilledStore.eraseWhatGoes(in: builder) }
    let again = folder.againRejectsPath
    let refill = StepRefill(
      step: step, builder: builder, objects: objects, earlier: RunID(text: source.kept.basis),
      rejectsPath: again, help: help)
    let result = try refill.run()
    // What stages of an earlier step would have changed is never retried.
    if isLast { try refill.revise(result.made.keys, of: source) }
    try folder.removeAgainRejects()
    try folder.placeExternals(try builder.externals(), from: old)
    _ = try RefilledStore.finish(builder, record: nil, associations: associations)
    return result
  }
}

extension StepsAgain.Passage {
  /// The objects that a step is given: what came of those before, and those that it rejected.
  func given(_ keys: [String: [Int64]], in step: Int) -> [ObjectID: StepRefill.Origin?] {
    var given = objects
    for (entity, keys) in keys {
      for key in keys {
        let object = ObjectID(entity: entity, key: key)
        given[object] = StepRefill.Origin(step: step, object: object)
      }
    }
    return given
  }

  /// Notes what the script of its own step made nothing of.
  mutating func leaveOut(
    _ objects: Set<ObjectID>, _ given: [ObjectID: StepRefill.Origin?], _ step: Int
  ) {
    leftOut.formUnion(objects.compactMap { given[$0] ?? nil }.filter { $0.step == step })
  }

  /// Notes a failure: of an object's own script, or of one in a later step.
  mutating func note(
    _ reject: Reject, _ given: [ObjectID: StepRefill.Origin?], _ step: Int, _ planned: PlannedStep
  ) throws {
    let object = ObjectID(entity: reject.entity, key: reject.key)
    guard let origin = given[object] ?? nil else {
      throw Failure(
        .misuse, what: "cannot retry the objects", subject: "\(object.entity) \(object.key)",
        why: "The step to '\(planned.to.name)' rejects it, and a script of an earlier step made it "
          + "of no object in particular: \(reject.reason)",
        remedy: "Correct \(reject.script), line \(reject.line), and give the same command again.")
    }
    guard origin.step != step else {
      failed.append(reject)
      failedOrigins.insert(origin)
      return
    }
    guard !rejectedLater.contains(where: { $0.origin == origin }) else { return }
    rejectedLater.append((origin, reject))
  }
}

extension PlannedStep {
  /// Objects of the source by the number of their entity.
  func numbers(of objects: some Sequence<ObjectID>) -> [Int: [Int64]] {
    var numbers: [Int: [Int64]] = [:]
    for object in objects {
      guard let entity = sourceSchema.entity(named: object.entity) else { continue }
      numbers[entity.number, default: []].append(object.key)
    }
    return numbers
  }
}

extension Plan {
  /// The first steps, with nothing but what makes stores.
  fileprivate func first(_ count: Int, _ stages: StageRegistry) -> Plan {
    let before = Array(steps.prefix(count))
    let versions = Set(before.map(\.to.name))
    let entries = pipeline.entries.filter { entry in
      switch entry {
      case .stage(let stage):
        stages[stage.name]?.produces.contains(.stores) == true
          || stages[stage.name]?.place == .inStep
      case .step(let step): versions.contains(step.version)
      }
    }
    let pipeline = pipeline.with(entries)
    return Plan(
      pipeline: pipeline, source: source, target: before.last?.to ?? target,
      steps: before, problems: [], warnings: [], uris: uris, space: nil, digests: digests,
      settings: settings, declarations: stages.declarations(of: pipeline))
  }
}
