internal import CoreDataStore
internal import Lua
internal import StoreReplacement

/// Compares a store with the backup of the run that made it: every row, link and large value, and
/// what scripts make by running them again.
public struct StoreVerification: Sendable {
  private let folder: WorkFolder
  private let backup: String?
  private let limit: Int
  private let stages: StageRegistry
  /// The threads that run the functions of one script, as in ``RunOptions/workers``.
  public var workers: Int?

  /// A verification of one store.
  ///
  /// - Parameters:
  ///   - store: The store's path.
  ///   - work: The folder for state, backups and rejects; nil for the one next to the store.
  ///   - backup: The folder of the backup; nil for the one that the last run made.
  ///   - limit: How many differences are reported one by one; all are counted.
  ///   - stages: The stages that the run's pipeline was read with.
  /// - Throws: `Failure` when there is no store.
  public init(
    store: String, work: String? = nil, against backup: String? = nil, limit: Int = 100,
    stages: StageRegistry = .standard
  ) throws {
    folder = try WorkFolder(store: store, work: work)
    (self.backup, self.limit, self.stages) = (backup, limit, stages)
  }

  /// Compares; neither the store nor the backup is changed.
  ///
  /// - Parameter events: Is called with how far it is, on a thread of its own.
  /// - Returns: What was found; differences are an answer.
  /// - Throws: `Failure` when the run cannot be done again, because a script has changed
  ///   since, `Failure` when store or backup cannot be used, `CancellationError` when its task
  ///   was cancelled.
  public func run(
    events: @escaping @Sendable (ProgressEvent) -> Void = { _ in }
  ) async throws -> VerificationSummary {
    let canceller = LuaCanceller()
    return try await withTaskCancellationHandler {
      try await RunThread.run {
        let source = try KeptSource(folder, against: backup, stages, doing: "verify the store")
        return try await LaterVerification(source, limit: limit, workers, stages, canceller, events)
          .run()
      }
    } onCancel: {
      canceller.cancel()
    }
  }
}
