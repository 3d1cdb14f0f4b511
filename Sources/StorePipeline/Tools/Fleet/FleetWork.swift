internal import CoreDataStore
internal import Foundation
internal import StoreReplacement
internal import Synchronization

/// The work on one store of many: its plan, its run, and how that ended.
struct FleetWork: Sendable {
  private let planner: Planner
  private let store: FleetStore
  private let programs: (any ProgramStarter)?
  private let watch: Watch

  /// The last event of a store, which not every end of a run has reported.
  private final class Watch: Sendable {
    private let events: @Sendable (ProgressEvent) -> Void
    private let isOver = Mutex(false)

    init(_ events: @escaping @Sendable (ProgressEvent) -> Void) { self.events = events }

    func take(_ event: ProgressEvent) {
      if event.kind == .runFinished { isOver.withLock { $0 = true } }
      events(event)
    }

    /// Says that the store is over, unless its run did.
    func end(
      _ store: String, _ status: Int32, _ message: String? = nil, _ summary: RunSummary? = nil
    ) {
      guard !isOver.withLock({ $0 }) else { return }
      var event = ProgressEvent(
        .runFinished, time: Date(), run: summary?.run ?? "", store: store, message: message,
        status: status)
      event.summary = summary
      take(event)
    }
  }

  init(
    _ planner: Planner, _ store: FleetStore, _ programs: (any ProgramStarter)?,
    _ events: @escaping @Sendable (ProgressEvent) -> Void
  ) {
    (self.planner, self.store, self.programs) = (planner, store, programs)
    watch = Watch(events)
  }

  /// Does it; what goes wrong is the store's own.
  func run() async -> FleetSummary.Entry {
    let start = ContinuousClock.now
    var entry: FleetSummary.Entry
    do {
      entry = FleetSummary.Entry(store, try await outcome())
      watch.end(store.path, entry.status ?? 0, nil, entry.outcome.run)
    } catch {
      entry = FleetSummary.Entry(store, error is CancellationError ? .stopped : .failed(error))
      watch.end(store.path, RunStatus.of(error), RunStatus.words(of: error))
    }
    entry.seconds = (ContinuousClock.now - start).seconds
    return entry
  }

  private func outcome() async throws -> FleetSummary.Outcome {
    // The plan and the run share a thread.
    try await RunThread.run { try await planAndRun() }
  }

  private func planAndRun() async throws -> FleetSummary.Outcome {
    if let done = try? WrittenBefore.current(store, planner) { return .ran(done) }
    let (plan, preflight) = try plan()
    guard plan.problems.isEmpty else { throw PipelineFileError(plan.problems) }
    try Task.checkCancellation()
    if try WrittenBefore.isWhole(store, plan) { return .writtenBefore }
    var run = Run(
      plan, store: store.path, options: try options(for: plan), stages: planner.stages,
      programs: programs)
    run.preflight = preflight
    return .ran(try await run.execute { [watch] in watch.take($0) })
  }

  /// The plan, and what the run would otherwise open the store for once more.
  private func plan() throws -> (Plan, Run.Preflighted?) {
    let isBrief = store.options.dryRun?.sample != nil
    let opened = try Store(store.path, isBrief: isBrief, stops: { Task.isCancelled })
    let plan = try planner.plan(store: opened)
    let isRun = plan.problems.isEmpty && !plan.isCurrent && store.options.dryRun == nil
    return (plan, isRun ? Run.Preflighted(plan, opened, store.options.failureLimit) : nil)
  }

  /// The options of the run, with folders for what it writes.
  ///
  /// A report that is there stays: the next try has one of its own, and a store with nothing to do
  /// needs no second one.
  private func options(for plan: Plan) throws -> RunOptions {
    var options = store.options
    if let report = options.report, FileManager.default.fileExists(atPath: report) {
      options.report = plan.isCurrent ? nil : Self.free(report)
    }
    var store = store
    store.options = options
    try store.makeFolders()
    return options
  }

  /// The path with the first number that nothing has: "Notes.sqlite-2.html".
  private static func free(_ path: String) -> String {
    let url = URL(filePath: path)
    let start = url.deletingPathExtension().path
    var number = 2
    while FileManager.default.fileExists(atPath: "\(start)-\(number).\(url.pathExtension)") {
      number += 1
    }
    return "\(start)-\(number).\(url.pathExtension)"
  }
}

/// Whether a store's new one was written elsewhere before, so that nothing is left to do.
enum WrittenBefore {
  /// Whether what is at the output is what this plan would make of the store as it is now.
  ///
  /// The state that the run has left names the run, what it was made from and the store's content;
  /// the output names the run that made it.
  static func isWhole(_ store: FleetStore, _ plan: Plan) throws -> Bool {
    guard let output = store.options.output, !store.options.restarts,
      try StoreFiles.isThere(output)
    else { return false }
    let folder = try WorkFolder(store: store.path, work: store.options.work)
    guard let state = try RunState.read(folder), state.work == .run, state.phase == .done,
      LockedRun.changes(state, plan.digests).isEmpty, let source = state.source,
      try Store(output, stops: { Task.isCancelled }).metadata.lastRun == state.run
    else { return false }
    do {
      return try !SourceSnapshot.hasChanged(folder, since: source) { _, _ in !Task.isCancelled }
    } catch {
      // That it was stopped is no failure of the store.
      try Task.checkCancellation()
      throw error
    }
  }
}
