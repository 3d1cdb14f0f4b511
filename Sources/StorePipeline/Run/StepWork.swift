internal import CoreDataStore
internal import Foundation

/// The store that one step builds, from its first row to the last index.
final class StepWork {
  /// The step that is carried out.
  let plan: PlannedStep

  private let construction: Construction
  private let facts: ScriptFacts
  private var scripts: [ScriptRun] = []

  /// What scripts are told of the run.
  struct ScriptFacts {
    /// The run's id.
    let run: String
    /// What every script of the run takes for now.
    let now: Date
    /// The file in which objects are set aside.
    let rejects: String
  }

  init(_ plan: PlannedStep, _ construction: Construction, _ facts: ScriptFacts) {
    self.plan = plan
    self.construction = construction
    self.facts = facts
  }

  /// How many objects the step's scripts set aside, by entity.
  var rejected: [String: Int] {
    Dictionary(scripts.map { ($0.entity, $0.counts.rejected) }) { $0 + $1 }
  }

  /// Copies the objects of one mapping that are not copied yet.
  func copy(_ object: ObjectMapping, _ limits: ChunkLimits, _ log: RunLog) throws {
    let copy = try ObjectCopy(construction, object, limits: limits)
    repeat { try log.progress(copy.progress) } while try copy.chunk()
    try log.progress(copy.progress)
    if copy.leftOut > 0 {
      log.warn("\(object.source): \(Quantity.count(copy.leftOut)) objects left out by 'where'")
    }
  }

  /// Makes the links that could not travel with their objects, then runs the scripts' later hooks.
  func connect(_ log: RunLog) throws {
    for count in try LinkCopy(construction).run(progress: log.progress) {
      let name = "\(count.relationship)"
      if count.discarded > 0 {
        log.warn("\(name): \(Quantity.count(count.discarded)) links discarded, one object stays")
      }
      if count.dangling > 0 {
        log.warn("\(name): \(Quantity.count(count.dangling)) links to objects that were left out")
      }
    }
  }

  /// Makes the store whole and closes it.
  func finish(_ choices: FinishChoices, _ log: RunLog) throws {
    _ = try StoreFinish(construction, choices).run(progress: log.progress)
  }

  /// Closes the store as it is.
  func close() { try? construction.close() }
}
