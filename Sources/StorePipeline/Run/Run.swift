internal import CoreDataStore
internal import Lua

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
