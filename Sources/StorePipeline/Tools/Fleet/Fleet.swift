internal import StoreReplacement

/// One pipeline carried out on many stores, each a run of its own.
///
/// The runs share nothing but the pipeline and its models: each has its own work folder, state and
/// backup, and what happens to one store is nothing to the others. It prints nothing.
package struct Fleet: Sendable {
  /// Makes the plan of each store.
  package let planner: Planner
  /// The stores, in the order in which they are begun.
  package let stores: [FleetStore]
  /// How many are at work at a time; each takes the memory of a run.
  package var jobs = 1
  /// Whether a store that fails ends the others: no further one is begun, and those at work stop
  /// between two chunks, to be resumed.
  package var failsFast = false
  /// What starts the programs of stages `hook`.
  package var programs: (any ProgramStarter)?

  /// Runs of a pipeline; nothing is done yet.
  package init(_ planner: Planner, stores: [FleetStore]) {
    self.planner = planner
    self.stores = stores
  }

  /// Does them.
  ///
  /// Doing it again takes up only what is unfinished.
  ///
  /// Cancelling the task stops all between two chunks.
  ///
  /// - Parameters:
  ///   - events: Is called with how far each store is, on that store's own thread. The last event
  ///     of each store that was begun is `run-finished`.
  ///   - ended: Is called with each store that was begun when it is over, one after another.
  /// - Returns: What happened to each store, in their order: as much of it as is reported, in a
  ///   file that goes with the summary, so that memory does not grow with what happens.
  package func execute(
    events: @escaping @Sendable (ProgressEvent) -> Void = { _ in },
    ended: (FleetSummary.Entry) -> Void = { _ in }
  ) async -> FleetSummary {
    let start = ContinuousClock.now
    var entries = stores.map { FleetSummary.Entry($0, .notBegun) }
    let list = DiskList()
    var waiting = stores.indices[...]
    await withTaskGroup(of: (Int, FleetSummary.Entry).self) { group in
      func begin() {
        guard !group.isCancelled, let index = waiting.popFirst() else { return }
        var store = stores[index]
        store.options.runsAtOnce = min(jobs, stores.count)
        let work = FleetWork(planner, store, programs, events)
        group.addTask { (index, await work.run()) }
      }
      for _ in 0..<min(max(1, jobs), stores.count) { begin() }
      for await (index, entry) in group {
        entries[index].keep(entry, in: list)
        if failsFast, entry.isFailure { group.cancelAll() }
        ended(entry)
        begin()
      }
    }
    return FleetSummary(entries: entries, seconds: (ContinuousClock.now - start).seconds)
  }
}
