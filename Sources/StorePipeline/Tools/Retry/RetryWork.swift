internal import CoreDataStore
internal import Lua
internal import StoreMigration
internal import StoreReplacement

/// One retry of rejected objects, from the lock to the swap.
final class RetryWork {
  private let folder: WorkFolder
  private let stages: StageRegistry
  private let canceller: LuaCanceller
  private let limit: Int
  private let command: [String]
  private let events: @Sendable (ProgressEvent) -> Void
  private let id = RunID()
  private let log: RunLog
  private var summary: RetrySummary
  /// Puts back what the run's folder said before the retry.
  private var putBack: () throws -> Void = {}

  init(
    _ folder: WorkFolder, _ stages: StageRegistry, _ canceller: LuaCanceller, limit: Int,
    command: [String], _ events: @escaping @Sendable (ProgressEvent) -> Void
  ) {
    (self.folder, self.stages, self.canceller) = (folder, stages, canceller)
    (self.limit, self.command, self.events) = (limit, command, events)
    log = RunLog(run: id.text, store: folder.store, events: events)
    summary = RetrySummary(store: folder.store, outcome: .nothing)
  }

  /// Does everything that is left to do.
  func run() async throws -> RetrySummary {
    let runs = try Store(folder.store).metadata.runs
    guard try !RejectStore.waiting(at: folder.rejectsPath, log: runs).isEmpty || isCutShort else {
      return summary
    }
    let lock = try RunLock(folder)
    defer { lock.unlock() }
    log.start()
    do {
      if try !finishSwap() { try await feed() }
      summary.warnings = log.warnings
      log.finish(status: summary.status)
      return summary
    } catch {
      log.finish(error)
      throw error
    }
  }

  private var isCutShort: Bool {
    get throws {
      guard let state = try RunState.look(at: folder) else { return false }
      return state.work == .retry && state.phase != .done
    }
  }

  /// Finishes a swap that was cut short; false when there is none.
  private func finishSwap() throws -> Bool {
    guard let state = try RunState.read(folder), state.phase != .done else { return false }
    if try state.lacksEvidence(folder) {
      log.warn("\(state.contradiction). The retry starts over.")
      _ = try Swap(folder, state, SwapChoices(backupKeep: .count(.max))).giveUp()
      return false
    }
    guard state.work == .retry else {
      throw Failure(
        .misuse, what: "cannot retry the objects", subject: folder.store,
        why: state.work == .run
          ? "A run was cut short." : "A backup is being put back, and that was cut short.",
        remedy:
          "`\(folder.command("resume"))` finishes it; `\(folder.command("abandon"))` gives it up.")
    }
    guard state.phase >= .swapping else { return false }
    // The choices of the pipeline are of no more account: the backup is made.
    let choices = SwapChoices(backupKeep: .count(.max))
    if try Swap(folder, state, choices).isOvertaken() {
      log.warn("the store has changed since the retry was cut short: the retry starts over")
      _ = try Swap(folder, state, choices).giveUp()
      return false
    }
    try swap(state, choices)
    summary.run = state.run
    return true
  }

  private func swap(_ state: RunState, _ choices: SwapChoices) throws {
    log.start(stage: RunLog.swap)
    let result = try Swap(folder, state, choices).run()
    for warning in result.warnings { log.warn(warning) }
    summary.outcome = .swapped
    summary.backup = result.backup
    log.swapped()
    log.finish(stage: RunLog.swap)
  }
}

// From the reject store into a copy of the store, and from there into its place.
extension RetryWork {
  private func feed() async throws {
    let source = try KeptSource(
      folder, against: nil, stages, doing: "retry the objects", checksScripts: false)
    var rejects = try WaitingObjects(folder, source)
    (summary.earlier, summary.left) = (source.kept.basis, rejects.left)
    summary.leftObjects = rejects.leftObjects.prefix(limit).map(RetrySummary.Waiting.init)
    if rejects.left > 0 {
      summary.leftIn = try StoreBackup.list(folder).filter { rejects.leftRuns.contains($0.run) }
        .map(\.path)
    }
    guard rejects.count > 0 else { return }
    if source.isMirrored { throw mirrored(rejects) }
    guard source.place.path != folder.path else { throw withoutBackup(source) }
    try source.refuseStages(for: rejects)
    try StoreSuitability.check(try StoreFiles(folder.store))
    try checkSpace(source)
    putBack = try folder.keepingNotes(runs: source.runs)
    try await givingBack(source) {
      guard let state = try await stage(&rejects, source) else { return }
      summary.run = id.text
      try swap(state, choices(source))
    }
  }

  private func choices(_ source: KeptSource) -> SwapChoices {
    var choices = source.plan.declarations.swap ?? SwapChoices()
    choices.wait = source.plan.declarations.wait
    // No backup goes because of a retry, least of all the one that the objects come from: the next
    // run's swap removes those beyond its number.
    if choices.backupKeep != .none { choices.backupKeep = .count(.max) }
    return choices
  }

  /// Makes the new store ready for the swap; nil when there is none.
  private func stage(
    _ rejects: inout WaitingObjects, _ source: KeptSource
  ) async throws
    -> RunState?
  {
    var (result, state) = try await refill(&rejects, source)
    tell(result)
    let isInvalid = !summary.failures.isEmpty
    guard result.made > 0, !isInvalid else {
      if result.made == 0 { try settle(result, of: source.kept.basis) }
      summary.outcome = isInvalid ? .invalid : .failed
      try giveBack(source)
      return nil
    }
    try StagedStore.seal(folder, &state)
    try keep(state, source)
    try settle(result, of: source.kept.basis)
    return state
  }

  /// Leaves no work of a retry that was refused; what was cancelled, or has begun to change the
  /// store, can be resumed.
  private func givingBack(_ source: KeptSource, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch {
      let state = try? RunState.read(folder)
      let isOwn = state?.run == id.text
      if !(error is CancellationError), !isOwn || state.map({ $0.phase < .swapping }) == true {
        try? giveBack(source)
        if isOwn { try? StoreBackup.withdraw(of: id.text, folder) }
      }
      throw error
    }
  }

  private func checkSpace(_ source: KeptSource) throws {
    guard source.plan.declarations.checksSpace else { return }
    try folder.checkSpaceForRefill(
      from: source.backup, isChain: source.plan.steps.count > 1,
      hasBackup: source.plan.declarations.swap?.backupKeep != BackupsKept.none)
  }

  /// The refusal of a store that is mirrored to CloudKit, in the words of the plan's.
  private func mirrored(_ rejects: WaitingObjects) -> Failure {
    let names = Set(rejects.keys.flatMap(\.keys)).sorted()
    let reasons = names.map(MirrorCheck.rejection(of:))
    return Failure(
      .unusable, what: "cannot retry the objects", subject: folder.store,
      why: "It is mirrored to CloudKit. " + reasons.joined(separator: " "),
      remedy: "Let the application sync: what is on the server comes back. Enter in the "
        + "application what is missing after that.")
  }

  /// The refusal where the only note of the run lies where a retry works, and would write over it.
  private func withoutBackup(_ source: KeptSource) -> Failure {
    Failure(
      .unusable, what: "cannot retry the objects", subject: folder.store,
      why: "The backup that the run \(source.kept.run) made is gone, and with it the copy of what "
        + "is kept of the run: a retry that fails would leave none. Nothing was changed.",
      remedy: "Put the backup's folder back into \(folder.backups); or go back with "
        + "`\(folder.command("rollback"))` and run the pipeline again.")
  }

  /// Makes the objects; where some of them cannot be in the store, all is done again without these.
  private func refill(
    _ rejects: inout WaitingObjects, _ source: KeptSource
  ) async throws -> (StoreRefill.Result, RunState) {
    let help = StoreRefill.Help(stages: stages, canceller: canceller, log: log)
    var leftBehind: [Reject] = []
    while true {
      let state = try copies(of: source)
      let refill = try StoreRefill(source, rejects, id, folder, help)
      var result = try await refill.run()
      var rules: [RunSummary.BrokenRule] = []
      if result.leftBehind.isEmpty, result.made > 0 {
        (rules, result.leftBehind) = try refill.newFailures(result, limit: limit)
      }
      guard !result.leftBehind.isEmpty else {
        summary.failures = rules
        result.add(leftBehind)
        return (result, state)
      }
      for (origin, reject) in result.leftBehind where rejects.leave(origin.object, of: origin.step)
      {
        leftBehind.append(reject)
      }
      guard rejects.count > 0 else {
        summary.failures = rules
        result = StoreRefill.Result()
        result.add(leftBehind)
        return (result, state)
      }
    }
  }

  /// Copies the store, and the backup that the objects come from.
  private func copies(of source: KeptSource) throws -> RunState {
    var state = try begin()
    state.source = try folder.copyForRefill(
      from: source.backup, wait: source.plan.declarations.wait)
    guard try source.moment?.holds(for: folder.sourcePath, of: folder.store) == true else {
      throw Failure(
        .busy, what: "cannot retry the rejected objects", subject: folder.store,
        why: "Another process has changed the store a moment ago; nothing was done to it.",
        remedy: "Give the same command again.")
    }
    try source.plan.numberRows(of: folder.basisPath)
    try source.place.copyAssociations(to: folder)
    return state
  }

  private func begin() throws -> RunState {
    try folder.removeStaging()
    try folder.removeAssociations()
    var state = try RunState(run: id.text, tool: LibraryVersions.own, folder: folder)
    (state.work, state.command) = (.retry, command)
    try state.write(folder)
    return state
  }

  /// Leaves the folder as it was before, without a new store.
  private func giveBack(_ source: KeptSource) throws {
    try putBack()
    try folder.removeStaging()
    try folder.removeAssociations()
    try source.place.copyAssociations(to: folder)
  }

  private func tell(_ result: StoreRefill.Result) {
    summary.entities = result.entities
    summary.waiting = result.failed.prefix(limit).map(RetrySummary.Waiting.init)
  }

  private func settle(_ result: StoreRefill.Result, of earlier: String) throws {
    let store = try RejectStore(path: folder.rejectsPath)
    try store.settle(result.done, of: earlier, by: id.text, failed: result.failed)
    try store.close()
  }

  /// Notes what the store is made from now: the backup of the earlier run, and corrected scripts.
  private func keep(_ state: RunState, _ source: KeptSource) throws {
    guard let next = state.next else { return }
    var kept = BackupProvenance(
      run: id.text, basis: source.kept.basis, target: source.kept.target,
      pipeline: source.kept.pipeline, image: next)
    kept.take(source.plan)
    kept.isSaved = source.kept.isSaved || state.source?.image != source.kept.image
    if kept.isSaved { kept.highestKeys = source.kept.highestKeys }
    try kept.write(folder)
  }
}

extension StoreRefill.Result {
  /// Counts objects that later steps have rejected among those that failed.
  fileprivate mutating func add(_ rejects: [Reject]) {
    failed += rejects
    var counts = Dictionary(grouping: rejects, by: \.entity).mapValues(\.count)
    for place in entities.indices {
      entities[place].failed += counts.removeValue(forKey: entities[place].name) ?? 0
    }
    entities += counts.map { RetrySummary.Entity(name: $0.key, failed: $0.value) }
    entities.sort { $0.name < $1.name }
  }
}
