internal import CoreDataStore
internal import Lua
internal import StoreReplacement

/// What a run is, from its first event to its last: nothing of it changes on the way.
struct RunBasis {
  /// The path of the store, as it was given.
  let store: String
  /// What the run is given besides the plan.
  let options: RunOptions
  /// The stages there are.
  let stages: StageRegistry
  /// The run's files.
  let folder: WorkFolder
  /// The run's id: that of the run which is resumed, if one is.
  let id: RunID
  /// The run that was found in the folder at the start; nil when there was none to resume.
  let left: String?
  /// Where the run reports what happens.
  let log: RunLog
  /// Stops a script from another thread.
  let canceller: LuaCanceller
  /// When it began.
  let start = ContinuousClock.now

  /// Looks for what an earlier run left in the folder.
  ///
  /// - Throws: `StoreError` of kind `busy` when the run that is to be resumed is over.
  init(
    _ run: Run, _ folder: WorkFolder, _ canceller: LuaCanceller,
    _ events: @escaping @Sendable (ProgressEvent) -> Void
  ) throws {
    (store, options, stages) = (run.store, run.options, run.stages)
    (self.folder, self.canceller) = (folder, canceller)
    left = try RunLock.unlessTaken(folder) { try LockedRun.leftover(in: folder, run.options) }?.run
    try LockedRun.expect(run.options.resumed, in: folder)
    id = (left ?? run.options.run).map(RunID.init(text:)) ?? RunID()
    log = RunLog(run: id.text, store: run.store, events: events)
  }

  /// A plan, seen again under the lock.
  func planning(_ plan: Plan) -> PlanUnderLock { PlanUnderLock(plan, folder, stages) }
}
