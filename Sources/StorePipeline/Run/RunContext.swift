/// What a stage is given while it runs: what the run is about, and how to speak of it.
///
/// A stage looks at ``checkCancellation()`` between two pieces of work, which
/// ``progress(of:rows:total:bytes:)`` does by itself.
public final class RunContext {
  /// The plan that is carried out.
  public let plan: Plan
  /// The step at work, for stages that stand in one.
  public let step: PlannedStep?
  /// What the stages of this run work on.
  let work: RunWork

  init(_ work: RunWork, step: PlannedStep?) {
    plan = work.plan
    self.step = step
    self.work = work
  }

  /// The run's id.
  public var run: String { work.log.run }

  /// The path of the store that is migrated; it is only to be read.
  public var store: String { work.store }

  /// The path of the store that was built, once all of its objects, links and indexes are there.
  public var newStore: String? { work.newStore }

  /// The options of the run.
  public var options: RunOptions { work.options }

  /// Says what a person should know although the run goes on.
  public func warn(_ message: String) { work.log.warn(message) }

  /// Says how far the stage is.
  ///
  /// - Throws: `CancellationError` when somebody wants the run to stop.
  public func progress(
    of entity: String, rows: Int, total: Int? = nil, bytes: Int = 0
  ) throws {
    work.log.progress(entity: entity, rows: rows, total: total, bytes: bytes)
    try checkCancellation()
  }

  /// Throws `CancellationError` when somebody wants the run to stop.
  public func checkCancellation() throws { try Task.checkCancellation() }

  /// Counts objects of the new store: `count(Item where image != nil)`.
  ///
  /// - Throws: ``RunFailure`` when that cannot be understood, or the new store is not yet whole.
  public func count(_ expression: String) throws -> Int64 { try work.count(expression) }
}
