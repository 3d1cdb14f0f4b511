internal import CoreDataStore
internal import Lua
internal import StoreReplacement

/// Puts objects that scripts rejected into the store, through scripts that were corrected since.
///
/// A copy of the store gets them and is checked; then it takes the store's place as a run's new
/// store does, in one transaction and with a backup. The store's own log shows which objects wait,
/// so that whatever ends the process none is lost and none is there twice.
public struct RejectRetry: Sendable {
  private let folder: WorkFolder
  private let limit: Int
  private let command: [String]
  private let stages: StageRegistry

  /// A retry of the objects of one store; nothing is done yet.
  ///
  /// - Parameters:
  ///   - store: The store's path.
  ///   - work: The folder for state, backups and rejects; nil for the one next to the store.
  ///   - limit: How many objects that fail again are reported one by one.
  ///   - command: The words of the command that would resume it.
  ///   - stages: The stages that the run's pipeline was read with.
  /// - Throws: `Failure` when there is no store.
  public init(
    store: String, work: String? = nil, limit: Int = 100, command: [String] = [],
    stages: StageRegistry = .standard
  ) throws {
    try ProtectedFiles.refuseBackup(store: store, work: work)
    folder = try WorkFolder(store: store, work: work)
    (self.limit, self.command, self.stages) = (limit, command, stages)
  }

  /// Does it, or what a killed process has left to do.
  ///
  /// - Parameter events: Is called with how far it is, on a thread of its own.
  /// - Returns: What was done; that no object could be made is an answer.
  /// - Throws: `Failure` when it could not be done; the store is as it was.
  public func run(
    events: @escaping @Sendable (ProgressEvent) -> Void = { _ in }
  ) async throws -> RetrySummary {
    let canceller = LuaCanceller()
    return try await withTaskCancellationHandler {
      try await RunThread.run {
        try await RetryWork(folder, stages, canceller, limit: limit, command: command, events)
          .run()
      }
    } onCancel: {
      canceller.cancel()
    }
  }
}
