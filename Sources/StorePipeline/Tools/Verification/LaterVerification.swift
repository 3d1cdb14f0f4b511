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
    let isUntouched = try work.copy(Store(source.folder.store)) == source.kept.image
    for missing in try work.missingValues(source.schema) { log.warn(missing.warning) }
    try plan.numberRows(of: work.folder.sourcePath)
    try source.place.copyAssociations(to: work.folder)
    if plan.steps.count > 1 {
      let help = StoreRefill.Help(stages: stages, canceller: canceller, log: log)
      try await StepsAgain(
        source, try WaitingObjects(source.folder, source), in: try work.steps,
        keptIn: work.folder, help
      ).make(workers: workers)
      try work.takeSteps(before: plan.steps.count)
    }
    let since = isUntouched ? nil : SavedSince(highestKeys: source.kept.highestKeys)
    var verification = RunVerification(
      place: place, step: plan.steps.count - 1, folder: work.folder, plan: plan, options: options)
    verification.now = RunVerification.Now(
      path: work.targetPath, externals: work.targetExternals, since: since,
      isRefilled: source.kept.basis != source.kept.run)
    let result = try verification.run(canceller, sample: nil, log)
    log.finish(stage: RunLog.verify)
    return summary(result, isUntouched: isUntouched)
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
