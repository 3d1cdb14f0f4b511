internal import CoreDataStore
internal import StoreMigration

extension RunFraction {
  /// The seconds that the units of a plan's schedule take on a usual machine.
  ///
  /// They are proportions, measured of stores of many small objects, of few large ones, and of
  /// objects with many attributes. A unit costs so many microseconds an object, so many nanoseconds
  /// a value and so many milliseconds a megabyte; the run shows what the machine makes of that.
  /// `make bench FILTER=remaining` prints how far off the time was that a run said would remain.
  struct Estimate {
    /// The units that report, in order.
    private(set) var units: [RunFraction.Unit] = []

    private let plan: Plan
    private let options: RunOptions
    private let stages: StageRegistry
    /// The objects, values and bytes of each entity, by its names in all versions.
    private var sizes: [String: Size] = [:]
    /// All of the store, as it is at first.
    private var whole = Size()
    /// What is linked or indexed of it.
    private var linked = Size()

    private struct Size {
      var rows = 0.0
      /// Values of attributes, and what a row costs besides, in terms of values.
      var values = 0.0
      var bytes = 0.0

      func work(_ rate: Rate) -> Work {
        let ofRows = rows * rate.row / 1e6 + values * rate.value / 1e9
        return Work(rate.kind, ofRows + bytes / 1e6 * rate.megabyte / 1e3)
      }

      static func + (one: Size, other: Size) -> Size {
        Size(
          rows: one.rows + other.rows, values: one.values + other.values,
          bytes: one.bytes + other.bytes)
      }
    }

    /// Microseconds an object, nanoseconds a value, milliseconds a megabyte.
    private struct Rate {
      var kind = Kind.plain
      var row = 0.0
      var value = 0.0
      var megabyte = 0.0
    }

    init(_ plan: Plan, _ options: RunOptions, _ stages: StageRegistry) {
      (self.plan, self.options, self.stages) = (plan, options, stages)
      for step in plan.steps { step.entities.forEach { note($0, of: step) } }
      for entity in plan.steps.first?.entities ?? [] {
        guard let name = entity.source, let size = sizes[name] else { continue }
        whole = whole + size
        let found = plan.steps[0].from.entity(named: name)
        if found.map({ !$0.relationships.isEmpty || !$0.fetchIndexes.isEmpty }) ?? false {
          linked = linked + size
        }
      }
      // Indexes and tables of pairs are in the file, too.
      whole.bytes = max(whole.bytes, Double(plan.space?.store ?? 0))
      for unit in RunSchedule(plan, options, stages: stages).units {
        units += estimates(unit)
      }
    }

    /// Of later steps only the first one's store is known; an entity keeps what it had.
    private mutating func note(_ entity: PlannedEntity, of step: PlannedStep) {
      let known = entity.source.flatMap { sizes[$0] }
      let rows = entity.rows.map(Double.init) ?? known?.rows ?? 0
      let attributes = entity.target.flatMap { step.to.entity(named: $0) }?.attributes.count ?? 0
      let size = Size(
        rows: rows, values: rows * Double(attributes + 4),
        bytes: entity.bytes.map(Double.init) ?? known?.bytes ?? 0)
      for name in [entity.source, entity.target].compactMap(\.self) where sizes[name] == nil {
        sizes[name] = size
      }
    }

    /// What looking and locking take at least.
    private static let least = Work(.plain, 0.000_5)

    /// A unit; before the first one of a step, what begins the step's store, which no event names.
    private func estimates(_ unit: RunSchedule.Unit) -> [RunFraction.Unit] {
      guard let found = estimate(unit) else { return [] }
      guard let step = found.step, !units.contains(where: { $0.step == step }) else {
        return [found]
      }
      return [.init(name: "", step: step, base: cost(Rate(row: 0.045))), found]
    }

    private func estimate(_ unit: RunSchedule.Unit) -> RunFraction.Unit? {
      switch unit {
      case .stage(let stage, let step?) where plan.steps.indices.contains(step):
        return building(stage, step)
      case .stage(let stage, _) where stage.name == RunLog.verify:
        return verifying(plan.steps.count - 1)
      case .stage(let stage, let step): return other(stage, step)
      case .verifyMade(let step) where plan.declarations.verification != nil: return verifying(step)
      case .verify(let step, _): return verifying(step)
      case .complete(let step): return completing(step)
      case .check: return .init(name: "", step: nil, base: cost(Rate(row: 0.05, value: 3)))
      case .compare
      where options.dryRun != nil || options.report != nil || plan.declarations.reports:
        return comparing()
      case .verifyMade, .closeStep, .compare, .keep: return nil
      }
    }

    private func cost(_ rate: Rate) -> Work { whole.work(rate) + Self.least }

    private func cost(of entities: [String], _ rates: Rate...) -> [String: Work] {
      let pairs = entities.map { entity in
        (entity, rates.reduce(Self.least) { $0 + (sizes[entity]?.work($1) ?? .zero) })
      }
      return Dictionary(pairs) { first, _ in first }
    }
  }
}

// Stages that make objects, link them, or change them, and what looks at the result.
extension RunFraction.Estimate {
  private func building(_ stage: PipelineStage, _ step: Int) -> RunFraction.Unit {
    let planned = plan.steps[step]
    var unit = RunFraction.Unit(name: stage.name, step: step, base: Self.least)
    guard let description = stages[stage.name], !description.revises else {
      unit.base = cost(Rate(row: 2, megabyte: 3))
      return unit
    }
    guard !description.connects else {
      unit.base += linked.work(Rate(row: 0.18))
      return unit
    }
    let scripts = planned.scripts.filter { $0.stage == stage && $0.outline.needsLua }
    if scripts.isEmpty {
      unit.entities = cost(of: copied(planned), Rate(row: 0.15, value: 42))
      let moved = planned.entities.filter { $0.way == .moved }.compactMap(\.source)
      unit.entities.merge(cost(of: moved, Rate(row: 0.1, megabyte: 1))) { first, _ in first }
    } else {
      for script in scripts {
        let lua = Rate(kind: .scripts, row: Self.row(script), megabyte: 1.4)
        unit.entities.merge(
          cost(of: [script.entity], lua, Rate(kind: .disk, megabyte: 2.1))
        ) { first, _ in first }
      }
    }
    // The old table of what is made again is emptied first.
    let remade = planned.entities.filter { $0.way != .kept && $0.way != .moved }
      .compactMap(\.source).filter { unit.entities[$0] != nil }
    unit.base += cost(of: remade, Rate(megabyte: 0.4)).values.reduce(.zero, +)
    return unit
  }

  /// What a script takes for an object; one that makes objects takes as long as four functions.
  private static func row(_ script: PlannedScript) -> Double {
    let functions = script.outline.computed.count
    return 0.88 + 0.13 * Double(functions == 0 ? 4 : functions)
  }

  /// The entities whose rows SQL carries over one by one.
  private func copied(_ step: PlannedStep) -> [String] {
    step.entities.filter { $0.how == .copied && $0.way != .moved }.compactMap(\.source)
  }

  /// Most of it is making indexes; what another step reads is proved first.
  private func completing(_ step: Int) -> RunFraction.Unit {
    var unit = RunFraction.Unit(name: RunLog.finish, step: step, base: Self.least)
    unit.base += linked.work(Rate(row: 0.24))
    if step < plan.steps.count - 1 { unit.base += changed(step).work(Self.proof) }
    unit.course = [0, 0, 0, 0.01, 0.95, 0.96, 0.99, 1].map { $0 * unit.base }
    return unit
  }

  /// Reading both stores again, and running the scripts again.
  private func verifying(_ step: Int) -> RunFraction.Unit {
    var unit = RunFraction.Unit(name: RunLog.verify, step: nil, base: Self.least)
    guard plan.steps.indices.contains(step) else { return unit }
    let planned = plan.steps[step]
    let computed = planned.entities.filter { $0.way == .computed }.compactMap(\.source)
    unit.looks = cost(of: copied(planned), Rate(value: 43))
    unit.looks.merge(cost(of: computed, Rate(value: 31))) { first, _ in first }
    let scripts = planned.scripts.filter(\.outline.needsLua)
    unit.repeats = true
    for script in scripts {
      let lua = Rate(kind: .repeats, row: Self.row(script) + 0.1, megabyte: 1.35)
      unit.entities.merge(cost(of: [script.entity], lua)) { first, _ in first }
    }
    unit.base += linked.work(Rate(row: scripts.isEmpty ? 0.075 : 0.14))
    return unit
  }

  /// What is lost is counted, then values are compared.
  private func comparing() -> RunFraction.Unit {
    var unit = RunFraction.Unit(
      name: RunLog.compare, step: nil, base: cost(Rate(row: 1, megabyte: 2)))
    let names = plan.steps.last?.entities.compactMap(\.target) ?? []
    unit.entities = cost(of: names, Rate(row: 2, megabyte: 3))
    unit.counts = sizes.mapValues { Int($0.rows) }
    return unit
  }
}

// The rest of a pipeline's stages.
extension RunFraction.Estimate {
  /// Walking over pages, and proving that they are sound.
  private static let proof = Rate(row: 0.15, megabyte: 1.3)

  private func other(_ stage: PipelineStage, _ step: Int?) -> RunFraction.Unit {
    var unit = RunFraction.Unit(name: stage.name, step: step, base: Self.least)
    guard let description = stages[stage.name] else { return unit }
    if description.produces.contains(.replacement) {
      let parts = swapping()
      unit.base = parts.reduce(.zero, +)
      unit.course = parts.indices.dropLast().map { parts[...$0].reduce(.zero, +) }
    } else if description.produces.contains(.stores) {
      unit.base = cost(Rate(kind: .disk, megabyte: 0.85))
    } else if description.consumes.contains(.objects) {
      unit.base = cost(Rate(value: 8, megabyte: 0.4))
      // All rules are looked at together, before the first entity is reported.
      unit.course = [.zero, unit.base]
    } else if description.touches.contains(.files) {
      unit.base = cost(Rate(kind: .disk, megabyte: 2))
    }
    return unit
  }

  /// What comes before a swap, and its steps: the old store is read, and the new one; what is
  /// different is written.
  private func swapping() -> [RunFraction.Work] {
    let changed = plan.steps.isEmpty ? whole : changed(plan.steps.count - 1)
    return [
      changed.work(Self.proof) + Self.least, cost(Rate(megabyte: 1.3)),
      cost(Rate(kind: .disk, megabyte: 0.2)), Self.least,
      changed.work(Rate(kind: .disk, megabyte: 2)), cost(Rate(megabyte: 0.65)),
      Self.least, Self.least, changed.work(Rate(megabyte: 0.27)),
    ]
  }

  /// What a step writes: where it begins on top of its source, what does not stay as it is.
  private func changed(_ step: Int) -> Size {
    let planned = plan.steps[step]
    guard planned.start.how == .overlay || planned.start.how == .clone else { return whole }
    return planned.entities.filter { $0.way != .kept }.compactMap(\.source)
      .compactMap { sizes[$0] }.reduce(Size(), +)
  }
}
