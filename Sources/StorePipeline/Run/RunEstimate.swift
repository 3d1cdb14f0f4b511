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
      guard let step = found.step, plan.steps.indices.contains(step),
        !units.contains(where: { $0.step == step })
      else { return [found] }
      return [.init(name: "", step: step, base: beginning(step)), found]
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
      case .check: return .init(name: "", step: nil, base: cost(Rate(row: 0.08, value: 5)))
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
  /// Of what is on top of its source the old tables are emptied that are made again.
  ///
  /// The first step's source was found sound when it was planned for; another one is proved here.
  private func beginning(_ step: Int) -> RunFraction.Work {
    let emptied = isOnTop(step) ? changed(step).work(Rate(megabyte: 0.5)) : .zero
    return emptied + (step > 0 ? cost(Rate(row: 1.3, megabyte: 2)) : Self.least)
  }

  private func building(_ stage: PipelineStage, _ step: Int) -> RunFraction.Unit {
    let planned = plan.steps[step]
    var unit = RunFraction.Unit(name: stage.name, step: step, base: Self.least)
    guard let description = stages[stage.name], !description.revises else {
      unit.base = cost(Rate(row: 2, megabyte: 3))
      return unit
    }
    guard !description.connects else {
      unit.base += linked.work(Rate(row: planned.scripts.isEmpty ? 0.14 : 0.24))
      return unit
    }
    let scripts = planned.scripts.filter { $0.stage == stage && $0.outline.needsLua }
    if scripts.isEmpty {
      // A file of its own is synced at each commit.
      let synced = Rate(kind: .disk, megabyte: isOnTop(step) ? 0 : 1)
      unit.entities = cost(of: copied(planned), Rate(row: 0.2, value: 54), synced)
      let moved = planned.entities.filter { $0.way == .moved }.compactMap(\.source)
      unit.entities.merge(cost(of: moved, Rate(row: 0.1, megabyte: 1))) { first, _ in first }
    } else {
      for script in scripts {
        let lua = Rate(kind: .scripts, row: Self.row(script), megabyte: 2.5)
        unit.entities.merge(
          cost(of: [script.entity], lua, Rate(kind: .disk, megabyte: 1.6))
        ) { first, _ in first }
      }
    }
    return unit
  }

  /// What a script takes for an object; one that makes objects takes as long as four functions.
  private static func row(_ script: PlannedScript) -> Double {
    let functions = script.outline.computed.count
    return 0.8 + 0.3 * Double(functions == 0 ? 4 : functions)
  }

  /// The entities whose rows SQL carries over one by one.
  private func copied(_ step: PlannedStep) -> [String] {
    step.entities.filter { $0.how == .copied && $0.way != .moved }.compactMap(\.source)
  }

  /// Most of it is making indexes; on top of another step's store SQLite reads through two layers.
  private func completing(_ step: Int) -> RunFraction.Unit {
    var unit = RunFraction.Unit(name: RunLog.finish, step: step, base: Self.least)
    unit.base += linked.work(Rate(row: step > 0 && isOnTop(step) ? 0.65 : 0.31))
    unit.course = [0, 0, 0, 0.01, 0.95, 0.96, 0.99, 1].map { $0 * unit.base }
    return unit
  }

  /// Reading both stores again, and running the scripts again.
  private func verifying(_ step: Int) -> RunFraction.Unit {
    var unit = RunFraction.Unit(name: RunLog.verify, step: nil, base: Self.least)
    guard plan.steps.indices.contains(step) else { return unit }
    let planned = plan.steps[step]
    let computed = planned.entities.filter { $0.way == .computed }.compactMap(\.source)
    unit.looks = cost(of: copied(planned), Rate(value: 53))
    unit.looks.merge(cost(of: computed, Rate(value: 40))) { first, _ in first }
    let scripts = planned.scripts.filter(\.outline.needsLua)
    unit.repeats = true
    for script in scripts {
      let lua = Rate(kind: .repeats, row: Self.row(script), megabyte: 2)
      unit.entities.merge(cost(of: [script.entity], lua)) { first, _ in first }
    }
    unit.base +=
      scripts.isEmpty ? whole.work(Rate(row: 0.07, value: 6)) : linked.work(Rate(row: 0.21))
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

// The rest of a pipeline's stages, and what comes before them.
extension RunFraction.Estimate {
  /// The pace of the machine, as far as planning has shown it.
  ///
  /// It is how long a processor worked for a walk over the store's pages, for each second that this
  /// takes on a usual machine: what is read from the disk for the first time says nothing of the
  /// run, which reads it again. 1 where it is unknown, or too short.
  var pace: Double {
    let usual = linked.work(Rate(row: 0.7)) + whole.work(Rate(value: 4, megabyte: 0.4))
    guard let time = plan.moment?.walkTime, usual.sum() > 0.02 else { return 1 }
    return min(10, max(0.1, time.seconds / usual.sum()))
  }

  private func other(_ stage: PipelineStage, _ step: Int?) -> RunFraction.Unit {
    var unit = RunFraction.Unit(name: stage.name, step: step, base: Self.least)
    guard let description = stages[stage.name] else { return unit }
    if description.produces.contains(.replacement) {
      let parts = swapping()
      unit.base = parts.reduce(.zero, +)
      unit.course = parts.indices.dropLast().map { parts[...$0].reduce(.zero, +) }
    } else if description.produces.contains(.stores) {
      unit.base = cost(Rate(kind: .copy, megabyte: 0.85))
    } else if description.consumes.contains(.objects) {
      unit.base = cost(Rate(row: 0.08, value: 6, megabyte: 0.5))
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
      changed.work(Rate(row: 0.14, megabyte: 1.9)) + Self.least, cost(Rate(megabyte: 0.7)),
      cost(Rate(kind: .disk, megabyte: 0.4)), Self.least,
      changed.work(Rate(kind: .disk, megabyte: 2.6)), cost(Rate(megabyte: 0.62)),
      Self.least, Self.least, changed.work(Rate(megabyte: 0.45)),
    ]
  }

  /// What a step writes: where it begins on top of its source, what does not stay as it is.
  private func changed(_ step: Int) -> Size {
    let start = plan.steps[step].start.how
    guard start == .overlay || start == .clone else { return whole }
    return plan.steps[step].entities.filter { $0.way != .kept }.compactMap(\.source)
      .compactMap { sizes[$0] }.reduce(Size(), +)
  }

  private func isOnTop(_ step: Int) -> Bool { plan.steps[step].start.how == .overlay }
}
