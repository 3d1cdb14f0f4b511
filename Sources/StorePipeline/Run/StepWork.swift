internal import CoreDataStore

/// The store that one step builds, from its first row to the last index.
final class StepWork {
  /// The step that is carried out.
  let plan: PlannedStep
  /// How many objects the step's scripts set aside.
  private(set) var rejected: [String: Int] = [:]

  private let construction: Construction
  private let facts: ScriptFacts
  private var scripts: [ScriptRun] = []

  /// What scripts are told of the run.
  struct ScriptFacts {
    /// The run's id.
    let run: String
    /// The time that every script of the run takes for now.
    let now: Date
    /// Where objects are set aside.
    let rejects: String
  }

  init(_ plan: PlannedStep, _ construction: Construction, _ facts: ScriptFacts) {
    self.plan = plan
    self.construction = construction
    self.facts = facts
  }

  /// Copies the objects of one mapping that are not copied yet.
  func copy(_ object: ObjectMapping, _ limits: ChunkLimits, _ log: RunLog) throws {
    let copy = try ObjectCopy(construction, object, limits: limits)
    repeat { try log.progress(copy.progress) } while try copy.chunk()
    try log.progress(copy.progress)
    guard copy.leftOut > 0 else { return }
    log.warn("\(object.source): \(Quantity.count(copy.leftOut)) objects left out by `where`")
  }
}
