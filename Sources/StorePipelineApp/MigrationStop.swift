internal import Foundation
internal import OperatingSystem

/// Stops a migration when its progress is cancelled or paused, or when its time is up.
///
/// A progress has one handler of each kind, which may be the app's: it is asked again and again
/// instead.
struct MigrationStop {
  private let progress: Progress
  private let deadline: Deadline?

  /// How often the progress is asked; a chunk takes about as long.
  private static let interval = Duration.milliseconds(50)

  init(_ progress: Progress, _ time: Duration?) {
    self.progress = progress
    deadline = time.map { Deadline(in: $0) }
  }

  /// Whether the work may be resumed later, and the caller wants no error.
  private var isPause: Bool { progress.isPaused || deadline?.isOver == true }

  private var isAsked: Bool { isPause || progress.isCancelled }

  /// Does work that a cancelled task ends between two chunks.
  ///
  /// - Returns: What the work returns; nil when it was stopped by a pause or the time.
  /// - Throws: What the work throws, `CancellationError` when it was cancelled.
  func watch<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    do {
      return try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await work() }
        group.addTask { await waitUntilAsked() }
        defer { group.cancelAll() }
        while let result = try await group.next() {
          if let result { return result }
          group.cancelAll()
        }
        return nil
      }
    } catch is CancellationError where isPause && !progress.isCancelled && !Task.isCancelled {
      return nil
    }
  }

  /// It ends without an error when the task is cancelled: only the work knows whether it was done
  /// by then.
  private func waitUntilAsked<Result>() async -> Result? {
    while !isAsked, !Task.isCancelled { try? await Task.sleep(for: Self.interval) }
    return nil
  }
}
