internal import CoreDataStore
internal import Lua
internal import StoreMigration

/// One execution of a plan.
///
/// It prints nothing and ends no process. Cancelling the task that executes it stops it between two
/// chunks; executing the same plan again resumes from there.
public struct Run: Sendable {
  /// What is done.
  public let plan: Plan
  /// The path of the store.
  public let store: String
  /// What the caller says in addition to the plan.
  public let options: RunOptions
  /// The stages there are, those that the pipeline brings along among them.
  public let stages: StageRegistry
  /// What starts the programs of stages `hook`; without it, a pipeline that has some is refused.
  public let programs: (any ProgramStarter)?
  /// What objects of the store would break, where the caller had it open for the plan.
  var preflight: Preflighted?

  /// What was found in the store that the plan is of, at the moment that the plan is of.
  struct Preflighted: Sendable {
    let limit: Int
    let result: PreflightResult?

    /// Nil where that cannot be found out, so that the run says why, and for a large store, of
    /// which the run says that it is at it.
    init?(_ plan: Plan, _ store: Store, _ limit: Int) {
      guard plan.moment?.isSound == true, store.files.bytes < Store.copiesBelow else { return nil }
      do {
        (self.limit, result) = (limit, try plan.preflightOfRun({ store }, limit: limit))
      } catch {
        return nil
      }
    }
  }

  /// A run; nothing is done yet.
  public init(
    _ plan: Plan, store: String, options: RunOptions = RunOptions(),
    stages: StageRegistry = .standard, programs: (any ProgramStarter)? = nil
  ) {
    self.plan = plan
    self.store = store
    self.options = options
    self.programs = programs
    self.stages = stages.with(plan.pipeline.plugins.map(\.stage))
  }

  /// Does it.
  ///
  /// - Parameter events: Is called with how far the run is, on the run's own thread.
  /// - Returns: What was done. That rules are broken is an answer, ``RunSummary/Outcome/invalid``.
  /// - Throws: ``PipelineFileError`` when the plan has problems, `Failure` when it could
  ///   not be done, `CancellationError` when its task was cancelled.
  ///   The old store is in place then.
  public func execute(
    events: @escaping @Sendable (ProgressEvent) -> Void = { _ in }
  ) async throws -> RunSummary {
    try await findings(events: events).summary
  }

  /// Does it, and reports what is different where the caller asked for it.
  package func findings(
    events: @escaping @Sendable (ProgressEvent) -> Void = { _ in }
  ) async throws -> RunResult {
    guard plan.problems.isEmpty else { throw PipelineFileError(plan.problems) }
    try RunCheck(self).check()
    let canceller = LuaCanceller()
    return try await withTaskCancellationHandler {
      try await RunThread.run {
        try await RunSession(self, canceller, events).run()
      }
    } onCancel: {
      canceller.cancel()
    }
  }
}
