internal import CoreDataStore
internal import Formats
public import Foundation
internal import OperatingSystem
public import StorePipeline
internal import Synchronization

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

/// Migrates a store as a pipeline says: once at the start of an app, before Core Data opens the
/// store.
///
/// Nothing else may have the store open. Whatever it throws, and wherever the app is ended, the
/// store is either as it was or whole and new. What an interrupted call has done, the next one
/// finds: it continues from the last chunk.
///
/// It stops between two chunks when the task is cancelled or `progress.cancel()` is called, which
/// throws `CancellationError`. It stops in the same way, and returns ``MigrationResult/paused``,
/// when `progress.pause()` is called or the time is up: in the background, for instance.
///
/// - Parameters:
///   - store: The store's file.
///   - pipeline: What is to be done.
///   - progress: A new one for each call. It is given one fraction over all stages, and what
///     happens in words; its values change on a thread of the migration.
///   - time: How long the migration may work; nil for as long as it takes.
///   - work: The folder for what the migration keeps while it works, and for backups; nil for one
///     next to the store.
/// - Returns: What came of it.
/// - Throws: ``MigrationError``, which says when to try again, or `CancellationError`.
@discardableResult
public func migrate(
  _ store: URL, with pipeline: AppPipeline,
  progress: Progress = Progress.discreteProgress(totalUnitCount: 0),
  time: Duration? = nil, work: URL? = nil
) async throws -> MigrationResult {
  guard FileManager.default.fileExists(atPath: store.path) else { return .noStore }
  let stop = MigrationStop(progress, time)
  do {
    return try await pipeline.unpacked { file in
      let summary = try await stop.watch {
        try await run(pipeline, file, store, work) { plan, finished in
          let meter = MigrationProgress(progress, plan, finished)
          return {
            meter.take($0)
            stop.look()
          }
        }
      }
      guard let summary else { return .paused }
      progress.completedUnitCount = progress.totalUnitCount
      return try result(summary)
    }
  } catch let error where !(error is CancellationError || error is MigrationError) {
    throw MigrationError(error, folder: nil)
  }
}

/// Plans the migration and does it; `events` makes what takes the events of the run.
private func run(
  _ pipeline: AppPipeline, _ file: String, _ store: URL, _ work: URL?,
  events: @Sendable (Plan, Int) -> @Sendable (ProgressEvent) -> Void
) async throws -> RunSummary {
  let settings = PipelineSettings(parameters: pipeline.parameters)
  let read = try PipelineFile(path: file).pipeline(settings)
  try Run.giveUpUnreadable(of: store.path, work: work?.path)
  let plan = try Planner(pipeline: read).plan(store: Store(store.path))
  guard plan.replacesStore else {
    throw Failure(
      .misuse, what: "cannot take the pipeline", subject: file,
      why: "It has no stage swap, so the app's store would stay as it is.",
      remedy: "Write a stage swap at its end.")
  }
  let run = Run(plan, store: store.path, options: RunOptions(work: work?.path))
  let finished = try run.giveUpOutdated()
  return try await run.execute(events: events(plan, finished))
}

/// What a run's summary is to an app.
private func result(_ summary: RunSummary) throws -> MigrationResult {
  switch summary.outcome {
  case .swapped: return .migrated(summary)
  case .upToDate: return .upToDate
  case .invalid: throw broken(summary)
  // What a pipeline with a swap never ends with, as it is run here.
  case .written, .staged, .stopped, .running, .dryRun:
    throw Failure.defect(
      "the run ended as \(summary.outcome)", what: "cannot run the pipeline",
      subject: summary.store)
  }
}

/// The new store breaks rules of the new model; the first few say which.
private func broken(_ summary: RunSummary) -> Failure {
  let rules = summary.failures.prefix(5).map {
    "\($0.entity) Z_PK \($0.key), \($0.property): \($0.rule)\($0.maker)"
  }
  return Failure(
    .no, what: "cannot take the new store", subject: summary.store,
    why: "It breaks rules of the new model. " + rules.joined(separator: "; "),
    remedy: "Correct the objects in a script. The old store is as it was.")
}

/// Stops a migration when its progress is cancelled or paused, or when its time is up.
///
/// A progress has one handler of each kind, which may be the app's: it is asked again and again
/// instead, with each event and in between.
private final class MigrationStop: Sendable {
  private let progress: Progress
  private let deadline: Deadline?
  private let state = Mutex(State())

  private struct State {
    var work: Task<RunSummary, any Error>?
    /// Whether the work was stopped for a pause: a pause may be over when the work has ended.
    var isPaused = false
  }

  private static let interval = Duration.milliseconds(50)

  init(_ progress: Progress, _ time: Duration?) {
    self.progress = progress
    deadline = time.map { Deadline(in: $0) }
  }

  /// Whether the work may be resumed later, and the caller wants no error.
  private var isPause: Bool { progress.isPaused || deadline?.isOver == true }

  /// Stops the work, which then ends between two chunks, if it is to stop.
  func look() {
    let isPause = isPause
    guard isPause || progress.isCancelled else { return }
    state.withLock { state in
      state.isPaused = isPause && !progress.isCancelled
      state.work?.cancel()
    }
  }

  /// Does work that ends between two chunks when it is cancelled.
  ///
  /// - Returns: What the work returns; nil when it was stopped by a pause or the time.
  /// - Throws: What the work throws, `CancellationError` when it was cancelled.
  func watch(_ body: @escaping @Sendable () async throws -> RunSummary) async throws -> RunSummary?
  {
    if progress.isCancelled { throw CancellationError() }
    if isPause { return nil }
    let task = Task { try await body() }
    state.withLock { $0.work = task }
    let watcher = Task {
      while !Task.isCancelled {
        look()
        try? await Task.sleep(for: Self.interval)
      }
    }
    defer { watcher.cancel() }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch is CancellationError where state.withLock(\.isPaused) && !Task.isCancelled {
      return nil
    }
  }
}

/// Makes one fraction of all that a run reports.
///
/// The run reports on its own thread, object by object: the progress is set when a thousandth is
/// done.
private final class MigrationProgress: Sendable {
  /// The units of a progress that is reported here, from its beginning to its end.
  static let units: Int64 = 1000

  private let progress: Progress
  private let state: Mutex<State>

  private struct State {
    var fraction: RunFraction
    var phase = MigrationPhase.preparing
    /// What was reported last.
    var units: Int64 = -1
  }

  init(_ progress: Progress, _ plan: Plan, _ finishedSteps: Int) {
    self.progress = progress
    state = Mutex(
      State(fraction: RunFraction(plan, finishedSteps: finishedSteps, stages: .standard)))
    progress.totalUnitCount = Self.units
    progress.show(MigrationPhase.preparing.text, "")
  }

  /// Takes an event of the run.
  func take(_ event: ProgressEvent) {
    let change: State? = state.withLock { state in
      let phase = state.phase
      state.fraction.take(event)
      if event.kind == .stageStarted { state.phase = Self.phase(of: event.stage ?? "", phase) }
      let units = Int64(state.fraction.value * Double(Self.units))
      guard units > state.units || state.phase != phase else { return nil }
      state.units = max(units, state.units)
      return state
    }
    if let change { report(change) }
  }

  private func report(_ state: State) {
    progress.setUserInfoObject(state.phase, forKey: .migrationPhase)
    progress.show(state.phase.text, Self.text(state.fraction.objects, state.fraction.objectsInAll))
    // Two threads never report: a run has one. A resumed migration begins where it was.
    progress.completedUnitCount = max(progress.completedUnitCount, state.units)
  }

  /// "1,200 / 40,000", in the digits of the user's language.
  private static func text(_ done: Int, _ all: Int) -> String {
    all > 0 ? "\(done.formatted()) / \(all.formatted())" : ""
  }

  /// Links belong to the objects, and what has no phase of its own changes none.
  private static func phase(of stage: String, _ phase: MigrationPhase) -> MigrationPhase {
    switch stage {
    case "detect", "open", "backup": .preparing
    case "copy", "transform", "connect", "finish": .updating
    case "validate", "verify", "compare": .checking
    case "swap": .replacing
    default: phase
    }
  }
}
