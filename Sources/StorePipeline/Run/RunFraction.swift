/// How far a run is as a whole: one number from 0 to 1 that never falls.
///
/// Each unit of the schedule weighs the bytes that it reads and writes. A unit that makes objects
/// reports them entity by entity, and an entity weighs what it takes in the store. The others
/// report which of their own parts they are at.
package struct RunFraction: Sendable {
  /// From 0 to 1.
  package private(set) var value = 0.0
  /// The objects that the current unit has made; 0 where it makes none.
  package private(set) var objects = 0
  /// The objects of the current unit; 0 while that is unknown.
  package private(set) var objectsInAll = 0

  private var units: [Unit]
  private var current: Int?
  private let weights: [String: Double]

  private struct Unit {
    /// The name that events give it.
    let name: String
    let weight: Double
    /// The step that it belongs to, if it belongs to one.
    let step: Int?
    /// The entities whose objects it makes; none where it makes no objects.
    let entities: Set<String>
    /// How far each entity is.
    var parts: [String: (done: Int, total: Int)] = [:]
    /// How much is done of a unit that makes no objects.
    var share = 0.0
  }

  /// What a unit weighs at least: looking, locking and opening read few bytes.
  fileprivate static let least = 1.0

  /// The run of a plan, before it begins; an interrupted run has finished some of the steps.
  package init(_ plan: Plan, finishedSteps: Int = 0, stages: StageRegistry) {
    let entities = plan.steps.flatMap(\.entities)
    let pairs = entities.flatMap { entity in
      [entity.source, entity.target].compactMap { $0 }.map { ($0, Self.weight(of: entity)) }
    }
    weights = Dictionary(pairs, uniquingKeysWith: max)
    let stages = stages.with(plan.pipeline.plugins.map(\.stage))
    let work = UnitWork(plan, weights, stages)
    units = RunSchedule(plan, RunOptions(), stages: stages).units.compactMap { unit in
      work.name(of: unit).map { name in
        let (weight, entities) = work.reading(of: unit)
        return Unit(name: name, weight: weight, step: unit.step, entities: entities)
      }
    }
    current = units.lastIndex { $0.step.map { $0 < finishedSteps } ?? false }
    if let current { units[current].share = 1 }
    rise()
  }

  fileprivate static func weight(of entity: PlannedEntity) -> Double {
    Double(entity.bytes ?? entity.rows ?? 0) + least
  }

  /// Takes an event of the run.
  package mutating func take(_ event: ProgressEvent) {
    switch event.kind {
    case .stageStarted: start(event.stage ?? "")
    case .progress: note(event)
    case .swapped: value = max(value, 0.99)
    case .runFinished where event.status == 0: value = 1
    case .runStarted, .warning, .rejected, .output, .stageFinished, .runFinished: break
    }
  }

  /// The next unit of that name begins; a run that is resumed leaves units out.
  private mutating func start(_ name: String) {
    let rest = units.indices.dropFirst(current.map { $0 + 1 } ?? 0)
    guard let next = rest.first(where: { units[$0].name == name }) else { return }
    current = next
    (objects, objectsInAll) = (0, 0)
    rise()
  }

  private mutating func note(_ event: ProgressEvent) {
    guard let current, units[current].name == event.stage else { return }
    if units[current].entities.isEmpty {
      let share = Double(event.rows) / Double(max(1, event.total ?? event.rows))
      units[current].share = max(units[current].share, min(1, share))
    } else if let entity = event.entity {
      let known = units[current].parts[entity]?.total ?? 0
      units[current].parts[entity] = (event.rows, max(known, event.total ?? event.rows))
      let parts = units[current].parts.values
      objects = parts.reduce(0) { $0 + $1.done }
      objectsInAll = parts.reduce(0) { $0 + $1.total }
    }
    rise()
  }

  private mutating func rise() {
    guard let current else { return }
    let all = units.reduce(0) { $0 + $1.weight }
    let before = units[..<current].reduce(0) { $0 + $1.weight }
    let now = units[current].weight * share(of: units[current])
    value = max(value, min(0.99, (before + now) / all))
  }

  /// How much of a unit is done.
  private func share(of unit: Unit) -> Double {
    guard !unit.entities.isEmpty, unit.share < 1 else { return unit.share }
    let names = unit.entities.union(unit.parts.keys)
    let all = names.reduce(0) { $0 + (weights[$1] ?? Self.least) }
    guard all > 0 else { return 0 }
    let done = unit.parts.reduce(0.0) { sum, part in
      let share = Double(part.value.done) / Double(max(1, part.value.total))
      return sum + (weights[part.key] ?? Self.least) * min(1, share)
    }
    return min(1, done / all)
  }
}

/// What the units of a plan's schedule read and write, in bytes.
private struct UnitWork {
  private let plan: Plan
  private let weights: [String: Double]
  private let stages: StageRegistry
  /// The whole store.
  private let whole: Double

  init(_ plan: Plan, _ weights: [String: Double], _ stages: StageRegistry) {
    (self.plan, self.weights, self.stages) = (plan, weights, stages)
    let first = plan.steps.first?.entities.reduce(0) { $0 + RunFraction.weight(of: $1) }
    whole = max(RunFraction.least, first ?? 0)
  }

  /// The name that events give to a unit; nil for one that gives none.
  func name(of unit: RunSchedule.Unit) -> String? {
    switch unit {
    case .stage(let stage, _): stage.name
    case .verifyMade: RunLog.verify
    case .complete: RunLog.finish
    case .compare: RunLog.compare
    case .verify, .closeStep, .check, .keep: nil
    }
  }

  /// The bytes, and the entities whose objects a unit reads where these are not all.
  func reading(of unit: RunSchedule.Unit) -> (weight: Double, entities: Set<String>) {
    switch unit {
    case .stage(let stage, let step?) where plan.steps.indices.contains(step):
      making(by: stage, plan.steps[step])
    case .stage(let stage, _): (readsAll(stage) ? whole : RunFraction.least, [])
    case .verifyMade, .verify, .complete, .compare: (whole, [])
    case .closeStep, .check, .keep: (0, [])
    }
  }

  /// A stage that makes objects reads those of its script, or those that no script is given.
  private func making(
    by stage: PipelineStage, _ step: PlannedStep
  ) -> (weight: Double, entities: Set<String>) {
    guard let description = stages[stage.name], !description.revises else { return (whole, []) }
    // Links are few bytes of a row each.
    guard !description.connects else { return (whole / 4, []) }
    let scripted = step.scripts.filter { $0.stage == stage }.map(\.entity)
    let copied = step.entities.filter { $0.how == .copied }.compactMap(\.source)
    let entities = Set(scripted.isEmpty ? copied : scripted)
    return (entities.reduce(RunFraction.least) { $0 + (weights[$1] ?? 0) }, entities)
  }

  /// Whether a stage outside the steps reads the whole store, or writes it.
  private func readsAll(_ stage: PipelineStage) -> Bool {
    guard let description = stages[stage.name] else { return false }
    return description.consumes.contains(.objects) || description.produces.contains(.stores)
      || description.touches.contains(.files)
  }
}

extension RunSchedule.Unit {
  /// The step that it belongs to, if it belongs to one.
  fileprivate var step: Int? {
    switch self {
    case .stage(_, let step): step
    case .verifyMade(let step), .complete(let step), .verify(let step, _), .closeStep(let step):
      step
    case .check, .compare, .keep: nil
    }
  }
}
