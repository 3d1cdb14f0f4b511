internal import CoreDataStore
public import Foundation
public import StorePipeline

/// How a migration ended that did not fail.
public enum MigrationResult: Sendable, Hashable {
  /// The store is of the new version now.
  case migrated(RunSummary)
  /// The store was of the new version already.
  case upToDate
  /// There is no store yet: the app makes one of the new version.
  case noStore
  /// The time was up, or the progress was paused. The old store is in place; the next call resumes.
  case paused
}

/// Migrates a store as a pipeline says: once at the start of an app, before Core Data opens the store.
///
/// Nothing else may have the store open. Whatever it throws, and wherever the app is ended, the store
/// is either as it was or whole and new. What an interrupted call has done, the next one finds: it
/// continues from the last chunk.
///
/// It stops between two chunks when the task is cancelled or `progress.cancel()` is called, which
/// throws `CancellationError`. It stops in the same way, and returns ``MigrationResult/paused``, when
/// `progress.pause()` is called or the time is up: in the background, for instance.
///
/// - Parameters:
///   - store: The store's file.
///   - pipeline: What is to be done.
///   - progress: Is given one fraction over all stages, and what happens in words. Its values change
///     on a thread of the migration.
///   - time: How long the migration may work; nil for as long as it takes.
///   - work: The folder for what the migration keeps while it works, and for backups; nil for one
///     next to the store.
/// - Throws: ``MigrationError``, which says when to try again, or `CancellationError`.
@discardableResult
public func migrate(
  _ store: URL, with pipeline: AppPipeline, progress: Progress = Progress(totalUnitCount: 0),
  time: Duration? = nil, work: URL? = nil
) async throws -> MigrationResult {
  guard FileManager.default.fileExists(atPath: store.path) else { return .noStore }
  let stop = MigrationStop(progress, time)
  return try await pipeline.unpacked { file in
    let summary = try await stop.watch {
      let settings = PipelineSettings(parameters: pipeline.parameters)
      let read = try PipelineFile(path: file).pipeline(settings)
      let plan = try Planner(pipeline: read).plan(store: Store(store.path))
      let meter = MigrationProgress(progress, plan)
      let run = Run(plan, store: store.path, options: RunOptions(work: work?.path))
      return try await run.execute { meter.take($0) }
    }
    guard let summary else { return .paused }
    progress.completedUnitCount = progress.totalUnitCount
    return try result(summary)
  }
}

/// What a run's summary is to an app.
private func result(_ summary: RunSummary) throws -> MigrationResult {
  switch summary.outcome {
  case .upToDate: return .upToDate
  case .invalid: throw broken(summary)
  default: return .migrated(summary)
  }
}

/// The new store breaks rules of the new model; the first few say which.
private func broken(_ summary: RunSummary) -> Failure {
  let rules = summary.failures.prefix(5).map {
    "\($0.entity) Z_PK \($0.key), \($0.property): \($0.rule)"
  }
  return Failure(
    .no, what: "cannot take the new store", subject: summary.store,
    why: "It breaks rules of the new model. " + rules.joined(separator: "; "),
    remedy: "Mend the objects in a script. The old store is as it was.")
}
