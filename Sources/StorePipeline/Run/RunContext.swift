internal import CoreDataStore
internal import StoreMigration

/// What a stage is given while it runs: what the run is about, and how to speak of it.
///
/// A stage looks at ``checkCancellation()`` between two pieces of work, which
/// ``progress(of:rows:total:bytes:)`` does by itself.
public final class RunContext {
  /// The plan that is carried out.
  public let plan: Plan
  /// The step at work, for stages that stand in one.
  public let step: PlannedStep?
  /// The stage as the pipeline file has it, with the lines of its options.
  public let written: PipelineStage
  /// What the stages of this run work on.
  let session: RunSession

  init(_ session: RunSession, _ written: PipelineStage, step: PlannedStep?) {
    plan = session.plan
    self.written = written
    self.step = step
    self.session = session
  }

  /// The run's id.
  public var run: String { session.log.run }

  /// The path of the store that is migrated; it is only to be read.
  public var store: String { session.basis.store }

  /// The path of the store that was built, once all of its objects, links and indexes are there.
  public var newStore: String? { session.newStore }

  /// The options of the run.
  public var options: RunOptions { session.options }

  /// Says what a person should know although the run continues.
  public func warn(_ message: String) { session.log.warn(message) }

  /// Says how far the stage is.
  ///
  /// - Throws: `CancellationError` when the run is cancelled.
  public func progress(
    of entity: String, rows: Int, total: Int? = nil, bytes: Int = 0
  ) throws {
    session.log.progress(entity: entity, rows: rows, total: total, bytes: bytes)
    try checkCancellation()
  }

  /// Throws `CancellationError` when the run is cancelled.
  public func checkCancellation() throws { try Task.checkCancellation() }

  /// Counts objects of the new store: `count(Item where image != nil)`.
  ///
  /// - Throws: `Failure` when that cannot be understood, or the new store is not yet whole.
  public func count(_ expression: String) throws -> Int64 {
    let (path, schema) = try session.finishedStore()
    session.readers.close()
    return try ExpectationCheck.number(expression, in: path, schema)
  }
}
