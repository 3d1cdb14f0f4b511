extension RunFraction {
  /// The seconds that the units of a plan's schedule take on a usual machine.
  ///
  /// They are proportions, measured of stores of many small objects and of few large ones. A unit
  /// costs so many microseconds an object and so many milliseconds a megabyte; the run shows what
  /// the machine makes of that.
  struct Estimate {
    /// The units that report, in order.
    private(set) var units: [RunFraction.Unit] = []

    private let plan: Plan
    private let options: RunOptions
    private let stages: StageRegistry
    /// The objects and bytes of each entity, by its names in all versions.
    private var sizes: [String: Size] = [:]
    private var whole = Size(rows: 0, bytes: 0)

    private struct Size {
      var rows: Double
      var bytes: Double

      func seconds(microseconds: Double, milliseconds: Double) -> Double {
        rows * microseconds / 1e6 + bytes / 1e6 * milliseconds / 1e3
      }
    }

    init(_ plan: Plan, _ options: RunOptions, _ stages: StageRegistry) {
      (self.plan, self.options, self.stages) = (plan, options, stages)
      for entity in plan.steps.flatMap(\.entities) {
        // Of later steps only the first one's store is known; an entity keeps what it had.
        let known = entity.source.flatMap { sizes[$0] }
        let size = Size(
          rows: entity.rows.map(Double.init) ?? known?.rows ?? 0,
          bytes: entity.bytes.map(Double.init) ?? known?.bytes ?? 0)
        for name in [entity.source, entity.target].compactMap(\.self) where sizes[name] == nil {
          sizes[name] = size
        }
      }
      for entity in plan.steps.first?.entities ?? [] {
        guard let size = entity.source.flatMap({ sizes[$0] }) else { continue }
        whole = Size(rows: whole.rows + size.rows, bytes: whole.bytes + size.bytes)
      }
      for unit in RunSchedule(plan, options, stages: stages).units {
        units += estimates(unit)
      }
    }

    /// What looking and locking take at least.
    private static let least = 0.000_5

    /// How much of a swap is done as each of its steps begins: most of it is reading both stores,
    /// and writing the new one.
    private static let swap = [0.3, 0.54, 0.64, 0.64, 0.93, 0.98, 0.99, 0.995]

    /// A unit; before the first one of a step, what begins the step's store, which no event names.
    private func estimates(_ unit: RunSchedule.Unit) -> [RunFraction.Unit] {
      guard let found = estimate(unit) else { return [] }
      guard let step = found.step, !units.contains(where: { $0.step == step }) else {
        return [found]
      }
      return [.init(name: "", step: step, base: cost(0.3, 0)), found]
    }

    private func estimate(_ unit: RunSchedule.Unit) -> RunFraction.Unit? {
      switch unit {
      case .stage(let stage, let step?) where plan.steps.indices.contains(step):
        return building(stage, step)
      case .stage(let stage, _) where stage.name == RunLog.verify:
        return verifying(plan.steps.count - 1)
      case .stage(let stage, let step):
        var unit = RunFraction.Unit(name: stage.name, step: step, base: other(stage))
        if stages[stage.name]?.produces.contains(.replacement) == true { unit.course = Self.swap }
        return unit
      case .verifyMade(let step) where plan.declarations.verification != nil: return verifying(step)
      case .verify(let step, _): return verifying(step)
      case .complete(let step): return .init(name: RunLog.finish, step: step, base: cost(1.6, 0.4))
      case .compare
      where options.dryRun != nil || options.report != nil || plan.declarations.reports:
        return .init(name: RunLog.compare, step: nil, base: cost(3, 5))
      case .verifyMade, .closeStep, .check, .compare, .keep: return nil
      }
    }

    private func cost(_ microseconds: Double, _ milliseconds: Double) -> Double {
      whole.seconds(microseconds: microseconds, milliseconds: milliseconds) + Self.least
    }

    /// A stage that makes objects, links them, or changes them.
    private func building(_ stage: PipelineStage, _ step: Int) -> RunFraction.Unit {
      let planned = plan.steps[step]
      var unit = RunFraction.Unit(name: stage.name, step: step)
      guard let description = stages[stage.name], !description.revises else {
        unit.base = cost(2, 3)
        return unit
      }
      guard !description.connects else {
        unit.base = cost(0.35, 0)
        return unit
      }
      unit.base = Self.least
      let scripted = planned.scripts.filter { $0.stage == stage && $0.outline.needsLua }
      unit.isScripted = !scripted.isEmpty
      if scripted.isEmpty {
        let copied = planned.entities.filter { $0.how == .copied }.compactMap(\.source)
        unit.entities = seconds(of: copied, 0.7, 1.5)
      } else {
        unit.entities = seconds(of: scripted.map(\.entity), 1.4, 11)
      }
      return unit
    }

    /// Reading both stores again, and running the scripts again.
    private func verifying(_ step: Int) -> RunFraction.Unit {
      var unit = RunFraction.Unit(name: RunLog.verify, step: nil, base: cost(1, 1.5))
      guard plan.steps.indices.contains(step) else { return unit }
      let scripts = plan.steps[step].scripts.filter(\.outline.needsLua)
      unit.isScripted = true
      unit.entities = seconds(of: scripts.map(\.entity), 1.3, 6.4)
      return unit
    }

    private func seconds(
      of entities: [String], _ microseconds: Double, _ milliseconds: Double
    ) -> [String: Double] {
      let pairs = entities.map { name in
        let size = sizes[name] ?? Size(rows: 0, bytes: 0)
        return (
          name,
          size.seconds(microseconds: microseconds, milliseconds: milliseconds) + Self.least
        )
      }
      return Dictionary(pairs) { first, _ in first }
    }

    private func other(_ stage: PipelineStage) -> Double {
      guard let description = stages[stage.name] else { return Self.least }
      // The new store is counted before it, and the old one copied and read again.
      if description.produces.contains(.replacement) { return cost(0.15, 15) }
      if description.produces.contains(.stores) { return cost(0, 2.8) }
      if description.consumes.contains(.objects) { return cost(0.9, 8) }
      return description.touches.contains(.files) ? cost(0, 10) : Self.least
    }
  }
}
