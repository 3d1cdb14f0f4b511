internal import CoreDataStore
internal import Lua
internal import StoreReplacement

/// What a run is, from its first event to its last: nothing of it changes on the way.
struct RunBasis {
  /// The path of the store, as it was given.
  let store: String
  /// What the run is given besides the plan.
  let options: RunOptions
  let stages: StageRegistry
  /// What starts programs; nil where none can be started.
  let programs: (any ProgramStarter)?
  /// What the store's objects would break, if that was looked for when it was planned.
  let preflight: Run.Preflighted?
  /// The run's files.
  let folder: WorkFolder
  /// The run's id: that of the run which is resumed, if one is.
  let id: RunID
  /// The run that was found in the folder at the start; nil when there was none to resume.
  let left: String?
  /// The run before this one, whose report may be replaced; known where a report is asked for.
  let earlier: String?
  /// What is said where the cause has been corrected that ended the run which is dropped now.
  let correction: String?
  /// Where the run reports what happens.
  let log: RunLog
  /// Stops a script from another thread.
  let canceller: LuaCanceller
  /// When it began.
  let start = ContinuousClock.now

  /// Looks for what an earlier run left in the folder.
  ///
  /// - Throws: `Failure` of kind `busy` when the run that is to be resumed is over.
  init(
    _ run: Run, _ folder: WorkFolder, _ canceller: LuaCanceller,
    _ events: @escaping @Sendable (ProgressEvent) -> Void
  ) throws {
    (store, options, stages) = (run.store, run.options, run.stages)
    (programs, preflight) = (run.programs, run.preflight)
    (self.folder, self.canceller) = (folder, canceller)
    earlier = options.report == nil ? nil : (try? RunState.read(folder))?.run
    let found = try RunLock.unlessTaken(folder) { try LockedRun.leftover(in: folder, run.options) }
    correction = found.flatMap { LockedRun.correction($0, run.plan, in: folder) }
    let leftover = correction == nil ? found : nil
    left = leftover?.run
    try LockedRun.expect(run.options.resumed, in: folder)
    id = (left ?? run.options.run).map(RunID.init(text:)) ?? RunID()
    let fraction = RunFraction(
      run.plan, run.options, finishedSteps: leftover?.step ?? 0, stages: run.stages)
    log = RunLog(run: id.text, store: run.store, fraction: fraction, events: events)
  }

  /// A plan, seen again under the lock.
  func planning(_ plan: Plan) -> PlanUnderLock { PlanUnderLock(plan, folder, stages) }
}

/// A plan, seen again when the store is locked or was copied.
///
/// "What was looked at before the lock is looked at again under it": the plan was made before the
/// run had the lock. It is carried out only on the store that it was made for.
struct PlanUnderLock {
  private let plan: Plan
  private let folder: WorkFolder
  private let stages: StageRegistry

  init(_ plan: Plan, _ folder: WorkFolder, _ stages: StageRegistry) {
    (self.plan, self.folder, self.stages) = (plan, folder, stages)
  }

  /// What the run's copy, which was made just now, says of itself; nil when it is not of the store
  /// that was planned for.
  func lookAtCopy() throws -> StoreMoment.Copied? {
    try plan.moment?.look(at: folder.sourcePath, of: folder.store)
  }

  /// The plan for the store as it is, or for the copy of it that the run has made.
  ///
  /// - Throws: `Failure` of kind `busy` when the pipeline does not take the store as it is now.
  func again(_ content: Store.Content) throws -> Plan {
    var settings = plan.settings
    // It asks for the scripts once more on a store that was at the target: not on one that another
    // process has taken there since.
    settings.force = settings.force && plan.source?.isSame(as: plan.target) == true
    do {
      let fresh = try Planner(pipeline: plan.pipeline, settings: settings, stages: stages)
        .plan(store: try Store(folder.store, reading: content))
      guard fresh.problems.isEmpty else { throw PipelineFileError(fresh.problems) }
      return fresh
    } catch let error as PipelineFileError {
      let problems = error.problems.map(\.message).joined(separator: "; ")
      throw changed("\(Self.misfit): \(problems)")
    } catch let error as Failure where [.unusable, .notCoreData].contains(error.kind) {
      throw changed("\(Self.misfit): \(error)")
    }
  }

  /// Why something failed, in truth: of a store that has changed since it was copied, the change is
  /// the reason.
  func reason(of error: any Error, _ source: SourceRecord?) -> any Error {
    guard let failure = error as? Failure, failure.kind == .unusable, let source,
      (try? SourceSnapshot.hasChanged(folder, since: source)) == true
    else { return error }
    return changed("\(failure.what): \(failure.subject). \(failure.why)")
  }

  private static let misfit = "The plan does not fit it any more"

  /// The store is not the one that was planned for, and the run cannot take it as it is now.
  func changed(_ why: String) -> Failure {
    Failure(
      .busy, what: "cannot run the plan", subject: folder.store,
      why: "Another process has changed the store since it was planned for. \(why)",
      remedy: "The run did nothing to the store. Look at it, and give the same command again.")
  }
}
