internal import CoreDataStore
internal import Lua
internal import StoreMigration
internal import StoreReplacement

/// One verification of a store in its place.
struct LaterVerification {
  private let source: KeptSource
  private let limit: Int
  private let workers: Int?
  private let stages: StageRegistry
  private let canceller: LuaCanceller
  private let log: RunLog
  private let events: @Sendable (ProgressEvent) -> Void

  private var plan: Plan { source.plan }

  init(
    _ source: KeptSource, limit: Int, _ workers: Int?, _ stages: StageRegistry,
    _ canceller: LuaCanceller, _ events: @escaping @Sendable (ProgressEvent) -> Void
  ) {
    (self.source, self.limit, self.stages) = (source, limit, stages)
    (self.workers, self.canceller, self.events) = (workers, canceller, events)
    log = RunLog(run: source.kept.run, store: source.folder.store, events: events)
  }

  /// Copies both stores and compares them; nothing of it stays.
  func run() async throws -> VerificationSummary {
    let work = try VerificationFolder(of: source.folder, against: source.backup)
    var options = RunOptions(restarts: true, failureLimit: limit)
    options.workers = workers
    let place = try LockedRun(
      work.folder, RunID(text: source.kept.basis), plan, options, expecting: nil)
    defer {
      place.close()
      try? work.remove()
    }
    log.start(stage: RunLog.verify)
    try source.backup.verify(in: work.folder.path)
    let isUntouched =
      try work.copy(Store(source.folder.store)) == source.kept.image && !source.kept.isSaved
    for missing in try work.missingValues(source.schema) { log.warn(missing.warning) }
    try plan.numberRows(of: work.folder.sourcePath)
    try source.place.copyAssociations(to: work.folder)
    let rejects = try WaitingObjects(source.folder, source)
    let isTwinMade = try await makeSteps(work, rejects)
    // A corrected script may make what waits nevertheless: it is in no store. The run's own script
    // rejects it again, and may count what it is given.
    if isRefilled { options.leavesOut = rejects.absent }
    let since = isUntouched ? nil : SavedSince(highestKeys: source.kept.highestKeys)
    var verification = RunVerification(
      place: place, step: plan.steps.count - 1, folder: work.folder, plan: plan, options: options)
    verification.now = RunVerification.Now(
      path: work.targetPath, externals: work.targetExternals, since: since,
      isRefilled: isRefilled, twin: isTwinMade ? comparable : nil)
    let result = try verification.run(canceller, sample: nil, log)
    log.finish(stage: RunLog.verify)
    var summary = summary(result, isUntouched: isUntouched)
    summary.isComplete = !needsTwin || isTwinMade && comparable == .everything
    return summary
  }

  private var isRefilled: Bool { source.kept.basis != source.kept.run }
  /// Whether stages have changed the objects since the last step made them.
  private var isRevised: Bool { plan.steps.last?.revisions.isEmpty == false }
  /// Whether the mapping alone does not show what the store should be, nor do scripts row by row.
  private var needsTwin: Bool { isRevised || isRefilled && hasHooks }
  private var hasHooks: Bool {
    plan.steps.last?.scripts.contains { !$0.outline.hooks.isEmpty } == true
  }

  /// What the store can be compared with that is made again: what stages made from objects that
  /// were put in depends on what another process had written by then.
  private var comparable: TwinComparison.Part {
    guard isRefilled, source.kept.isSaved, let step = plan.steps.last else { return .everything }
    return .rest(
      besides: Set(step.revisions.flatMap(\.entities)), properties: step.revisedProperties)
  }

  /// Makes the store again that the last step reads; where stages have changed objects, or scripts
  /// may make anything of those that were put in later, also the one that it makes.
  ///
  /// - Returns: Whether that one is there, too.
  private func makeSteps(
    _ work: VerificationFolder, _ rejects: WaitingObjects
  ) async throws -> Bool {
    // What hooks made from a store that others had written to depends on what was there then.
    let canRefill =
      rejects.settled.allSatisfy { $0.highest != nil } && (!source.kept.isSaved || !hasHooks)
    let throughLast = needsTwin && (!isRefilled || canRefill)
    guard throughLast || plan.steps.count > 1 else { return false }
    let help = StoreRefill.Help(
      stages: stages, canceller: canceller, log: RunLog(repeating: log))
    try await StepsAgain(
      source, rejects, in: try work.steps, keptIn: work.folder, throughLast: throughLast,
      hasSameScripts: !isRefilled, help
    ).make(workers: workers)
    try work.takeSteps(before: plan.steps.count, throughLast: throughLast)
    return throughLast
  }

  private func summary(
    _ result: VerificationResult, isUntouched: Bool
  ) -> VerificationSummary {
    VerificationSummary(
      store: source.folder.store, run: source.kept.run, backup: source.backup.path,
      source: plan.source?.name ?? "", target: plan.target.name, objects: result.objects,
      differences: result.differences.map { difference in
        VerificationSummary.Difference(
          entity: difference.entity, key: difference.key, property: difference.property,
          rule: difference.rule, isSince: difference.isSince)
      },
      count: result.count, since: result.since, isUntouched: isUntouched, warnings: log.warnings)
  }
}
