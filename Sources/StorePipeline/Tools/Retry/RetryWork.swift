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
    let rejects = try WaitingObjects(folder, source)
    (summary.earlier, summary.left) = (source.kept.basis, rejects.left)
    guard !rejects.keys.isEmpty else { return }
    if source.isMirrored { throw mirrored(rejects) }
    try StoreSuitability.check(try StoreFiles(folder.store))
    var state = try begin()
    let wait = source.plan.declarations.wait
    state.source = try folder.copyForRefill(from: source.backup, wait: wait)
    guard try source.moment?.holds(for: folder.sourcePath, of: folder.store) == true else {
      try end(&state, .failed)
      throw Failure(
        .busy, what: "cannot retry the rejected objects", subject: folder.store,
        why: "Another process has changed the store a moment ago; nothing was done to it.",
        remedy: "Give the same command again.")
    }
    try source.plan.numberRows(of: folder.basisPath)
    try source.place.copyAssociations(to: folder)
    let refill = try await StoreRefill(
      source, rejects, id, folder, StoreRefill.Help(stages: stages, canceller: canceller, log: log))
    let result = try refill.run()
    tell(result)
    guard result.made > 0 else {
      try settle(result, of: source.kept.basis)
      return try end(&state, .failed)
    }
    summary.failures = try refill.newFailures(limit: limit)
    guard summary.failures.isEmpty else { return try end(&state, .invalid) }
    try StagedStore.seal(folder, &state)
    try keep(state, source)
    try settle(result, of: source.kept.basis)
    var choices = source.plan.declarations.swap ?? SwapChoices()
    choices.wait = wait
    // No backup goes because of a retry, least of all the one that the objects come from: the next
    // run's swap removes those beyond its number.
    if choices.backupKeep != .none { choices.backupKeep = .count(.max) }
    summary.run = id.text
    try swap(state, choices)
  }

  /// The refusal of a store that is mirrored to CloudKit, in the words of the plan's.
  private func mirrored(_ rejects: WaitingObjects) -> Failure {
    let reasons = rejects.keys.keys.sorted().map(MirrorCheck.rejection(of:))
    return Failure(
      .unusable, what: "cannot retry the objects", subject: folder.store,
      why: "It is mirrored to CloudKit. " + reasons.joined(separator: " "),
      remedy: "Let the application sync: what is on the server comes back. Enter in the "
        + "application what is missing after that.")
  }

  private func begin() throws -> RunState {
    try folder.removeStaging()
    try folder.removeAssociations()
    var state = try RunState(run: id.text, tool: LibraryVersions.own, folder: folder)
    (state.work, state.command) = (.retry, command)
    try state.write(folder)
    return state
  }

  /// Ends it without a new store.
  private func end(_ state: inout RunState, _ outcome: RetrySummary.Outcome) throws {
    summary.outcome = outcome
    state.phase = .done
    try state.write(folder)
    try folder.removeStaging()
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

  /// Notes what the store is made from now: the backup of the earlier run, and the mended scripts.
  private func keep(_ state: RunState, _ source: KeptSource) throws {
    guard let next = state.next else { return }
    var kept = BackupProvenance(
      run: id.text, basis: source.kept.basis, target: source.kept.target,
      pipeline: source.kept.pipeline, image: next)
    kept.take(source.plan)
    try kept.write(folder)
  }
}
