internal import CoreDataStore
internal import Foundation

/// What the stages of one run work on, from the lock to the swap.
final class RunWork {
  /// The plan that is carried out.
  let plan: Plan
  /// The path of the store, as it was given.
  let store: String
  /// What the run is told beside the plan.
  let options: RunOptions
  /// Where it is said what happens.
  let log: RunLog

  private let folder: RunFolder
  private var state: RunState
  private var lock: RunLock?
  private var current: (index: Int, work: StepWork)?
  private var tally = RunTally()

  init(_ run: Run, _ events: @escaping @Sendable (ProgressEvent) -> Void) throws {
    plan = run.plan
    store = run.store
    options = run.options
    folder = try RunFolder(store: run.store, work: run.options.work)
    let left = try RunState.read(folder)
  }
}
