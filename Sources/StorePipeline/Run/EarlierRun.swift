internal import CoreDataStore
internal import StoreReplacement

// What an earlier run has left in the folder: whether it is resumed, refused, or given up because
// what ended it has been corrected.
extension LockedRun {
  /// Refuses to resume a run that another process has ended since it was found cut short.
  static func expect(_ run: String?, in folder: WorkFolder) throws {
    guard let run else { return }
    let state = try RunState.look(at: folder)
    guard state?.run == run, state?.phase != .done else { throw overtaken(folder) }
  }

  /// Another process was faster between the first look at the folder and the lock.
  static func overtaken(_ folder: WorkFolder) -> Failure {
    Failure(
      .busy, what: "cannot begin a run", subject: folder.store,
      why: "Another process finished or started a run of this store a moment ago.",
      remedy: "Give the same command again.")
  }

  /// What an earlier run left that can be resumed; nil when it is to be given up.
  ///
  /// - Throws: `Failure` when a backup is being put back.
  static func leftover(
    in folder: WorkFolder, _ options: RunOptions, for plan: Plan? = nil
  ) throws -> RunState? {
    guard let state = try RunState.read(folder), state.phase != .done, !options.restarts,
      try !state.lacksEvidence(folder)
    else { return nil }
    guard state.work == .run else {
      throw Failure(
        .misuse, what: "cannot begin a run", subject: folder.store,
        why: state.work == .restore
          ? "A backup is being put back, and that was cut short."
          : "Rejected objects are being retried, and that was cut short.",
        remedy: "`\(folder.command("resume"))` finishes it; with --restart it is given up.")
    }
    return plan.flatMap { correction(state, $0, in: folder) } == nil ? state : nil
  }

  /// What is said of a run that a script's error or a value has ended, if scripts, the pipeline
  /// file and the store are all that has changed since, and of one whose notes another version of
  /// this program wrote: what it had done is of no use, and goes.
  static func correction(_ state: RunState, _ plan: Plan, in folder: WorkFolder) -> String? {
    guard state.phase < .swapping else { return nil }
    let changed = changes(state, plan.digests)
    if state.shape != RunState.currentShape, changed.isEmpty {
      return "another version of this program (\(state.tool)) began the run: \(dropped)"
    }
    guard let failure = state.failure else { return nil }
    // What the message advises may be done in the pipeline file, too: on_error = "reject".
    let isCorrected = changed.allSatisfy { $0 == "pipeline" || $0.hasPrefix("script ") }
    guard isCorrected else { return nil }
    guard !changed.isEmpty else {
      // The object that was in the way may have been corrected in the store.
      let isOther = state.source.map { try? SourceSnapshot.hasChanged(folder, since: $0) }
      return isOther == true
        ? "the store has changed since \(failure) ended the run: \(dropped)" : nil
    }
    if let script = state.failedScript, !changed.contains("pipeline") {
      return "\(script) has changed since its error ended the run: \(dropped)"
    }
    let names = changed.map { $0 == "pipeline" ? "the pipeline" : String($0.dropFirst(7)) }
    let (list, verb) = (names.joined(separator: ", "), names.count > 1 ? "have" : "has")
    return "\(list) \(verb) changed since \(failure) ended the run: \(dropped)"
  }

  private static let dropped = "the run starts over, and what it had done is dropped"

  /// Ends a swap that was cut short and is not resumed.
  static func giveUp(in folder: WorkFolder) throws {
    guard let state = try RunState.read(folder) else { return }
    let swap = Swap(folder, state, SwapChoices(backupKeep: .count(.max)))
    guard try !swap.giveUp() else {
      let why = "The store that was made before is in its place already; what was left is done now."
      throw Failure(
        .misuse, what: "cannot start the run over", subject: folder.store,
        why: ([why] + swap.warnings).joined(separator: " "),
        remedy: "Look at the store, and give the command again for what remains.")
    }
  }

  /// Ends a run whose store is not in place, where nothing is left to do for another.
  ///
  /// While the application has the store it stays for the next command.
  static func dismiss(_ folder: WorkFolder) throws {
    do {
      let lock = try RunLock(folder)
      defer { lock.unlock() }
      guard try RunState.read(folder)?.lacksEvidence(folder) == true else { return }
      try giveUp(in: folder)
      try folder.removeStaging()
    } catch let error as Failure where error.kind == .busy {}
  }

  /// What has changed since, of all that a run was built from, as a plan has it now.
  static func changes(_ state: RunState, _ digests: PlanDigests) -> [String] {
    let now = digests.parts
    let names = Set(now.keys).union(state.digests.keys)
    return names.filter { state.digests[$0] != now[$0] }.sorted()
  }

  static func check(_ state: RunState, _ plan: Plan, _ folder: WorkFolder) throws {
    let changed = changes(state, plan.digests)
    guard !changed.isEmpty else { return }
    let restart =
      state.command.isEmpty
      ? "Give --restart to start over"
      : "Start over with `\(folder.command(SuggestedCommand.restart(state.command)))`"
    throw Failure(
      .misuse, what: "cannot resume the run", subject: folder.path,
      why: "What it was built from has changed since: \(changed.joined(separator: ", ")).",
      remedy: "\(restart); the store is as it was.")
  }
}
