internal import CoreDataStore

/// Everything a run does, in order: the pipeline's stages, those of the steps that remain, and what
/// concerns the run as a whole, so that no stage does another's work.
struct RunSchedule {
  /// One piece of it.
  enum Unit: Equatable {
    /// A stage; those that build a store belong to a step.
    case stage(PipelineStage, step: Int?)
    /// The objects of a step and their links are there, and are compared and noted: stages change
    /// them from here on.
    case verifyMade(step: Int)
    /// The store that a step has built is made whole.
    case complete(step: Int)
    /// It is compared with what it was built from; the last one by a stage of its own.
    case verify(step: Int, sample: Int?)
    /// It becomes the source of the next step, and its own source goes.
    case closeStep(Int)
    /// The new store is looked at once more, and counted.
    case check
    /// What was read is compared with what was made, when a report wants that.
    case compare
    /// The result of a dry run goes where it is to be kept.
    case keep
  }

  /// The pieces, in order.
  let units: [Unit]
  /// The first place behind what puts the new store in the place of the old one.
  let swapEnd: Int

  /// The order of a plan's pipeline; a dry run leaves out what would outlive it.
  init(_ plan: Plan, _ options: RunOptions, stages: StageRegistry) {
    self.init(
      plan.pipeline.entries, steps: plan.steps.map(\.to.name), stages: stages,
      verification: plan.declarations.verification, isDry: options.dryRun != nil,
      reports: options.report != nil)
  }

  /// The order of a pipeline's stages.
  ///
  /// - Parameters:
  ///   - entries: The parts of the pipeline.
  ///   - steps: The versions that the steps which remain arrive at.
  ///   - stages: What is known of the stages.
  ///   - verification: How stores on the way are compared; nil when they are not.
  ///   - isDry: Whether what would outlive the run is left out.
  ///   - reports: Whether the run as a whole is reported.
  init(
    _ entries: [Pipeline.Entry], steps: [String], stages: StageRegistry,
    verification: StageDeclarations.Verification? = nil, isDry: Bool = false,
    reports: Bool = false
  ) {
    let hasSteps = entries.contains { if case .step = $0 { true } else { false } }
    let order = Order(stages: stages, verification: verification, lastStep: steps.count - 1)
    var found =
      hasSteps ? order.chain(entries, steps) : order.direct(entries, isNeeded: !steps.isEmpty)
    if isDry { found.removeAll(where: order.outlivesRun) }
    let replaces = found.contains(where: order.replaces)
    let all =
      found.flatMap { order.replaces($0) ? [.check, .compare, $0] : [$0] }
      // Behind what puts the new store somewhere nothing may fail any more.
      + (isDry ? [.check, .compare, .keep] : reports && !replaces ? [.compare] : [])
    units = all
    swapEnd = all.lastIndex(where: order.replaces).map { $0 + 1 } ?? all.endIndex
  }

  /// Those behind what puts the new store in the place of the old one.
  var behindSwap: ArraySlice<Unit> { units[swapEnd...] }

  var names: [String] { units.compactMap(\.stage?.name) }

  /// Whether a unit is the last stage of a name.
  func isLastStage(_ unit: Unit, named name: String) -> Bool {
    guard unit.stage?.name == name, let place = units.firstIndex(of: unit) else { return false }
    return !units[(place + 1)...].contains { $0.stage?.name == name }
  }
}

extension RunSchedule.Unit {
  /// Whether it does no more than read the new store and its source, which may be open for that, or
  /// closes them itself.
  func leavesOpen(_ stages: StageRegistry) -> Bool {
    guard let description = stage.flatMap({ stages[$0.name] }) else {
      return self == .check || self == .compare
    }
    if has(RunLog.swap) { return true }
    return description.consumes == [.objects] && description.produces.isEmpty
      && description.touches.isEmpty
  }

  /// Whether it is a stage of that name.
  func has(_ name: String) -> Bool { stage?.name == name }

  /// The stage, where it is one.
  var stage: PipelineStage? {
    guard case .stage(let stage, _) = self else { return nil }
    return stage
  }
}

extension RunSchedule {
  /// Puts the pieces of steps in their order.
  private struct Order {
    let stages: StageRegistry
    let verification: StageDeclarations.Verification?
    let lastStep: Int

    func chain(_ entries: [Pipeline.Entry], _ steps: [String]) -> [Unit] {
      entries.flatMap { entry -> [Unit] in
        switch entry {
        case .stage(let stage): return [.stage(stage, step: nil)]
        case .step(let step):
          guard let place = steps.firstIndex(of: step.version) else { return [] }
          return whole(step.stages.map { .stage($0, step: place) }, step: place)
        }
      }
    }

    /// Without steps the stages that build a store are one step, wherever others stand among them.
    func direct(_ entries: [Pipeline.Entry], isNeeded: Bool) -> [Unit] {
      let units = entries.compactMap { entry -> Unit? in
        guard case .stage(let stage) = entry else { return nil }
        return .stage(stage, step: stages[stage.name]?.place == .inStep ? 0 : nil)
      }
      let isBuilding = { (unit: Unit) in if case .stage(_, step: 0) = unit { true } else { false } }
      guard isNeeded, let last = units.lastIndex(where: isBuilding) else { return units }
      return whole(Array(units[...last]), step: 0) + units[(last + 1)...]
    }

    /// What makes the objects of a step, their links, what changes them then, and the end.
    private func whole(_ units: [Unit], step: Int) -> [Unit] {
      let first = units.firstIndex { description($0)?.revises == true } ?? units.endIndex
      let (making, revising) = (Array(units[..<first]), Array(units[first...]))
      // Where there is none, the run is refused for want of it.
      let connector = stages.first(where: \.connects)?.name ?? "connect"
      let isConnected = making.contains { $0.stage?.name == connector }
      let connecting = isConnected ? [] : [Unit.stage(.plain(connector), step: step)]
      let verifying = step < lastStep ? verification : nil
      return making + connecting
        + (revising.isEmpty ? [] : [.verifyMade(step: step)] + revising)
        + [.complete(step: step)]
        + (verifying.map { [.verify(step: step, sample: $0.sample)] } ?? [])
        + [.closeStep(step)]
    }

    func replaces(_ unit: Unit) -> Bool {
      description(unit)?.produces.contains(.replacement) == true
    }

    func outlivesRun(_ unit: Unit) -> Bool { description(unit).map(DryRun.leavesOut) ?? false }

    private func description(_ unit: Unit) -> StageDescription? {
      unit.stage.flatMap { stages[$0.name] }
    }
  }
}

extension PipelineStage {
  /// A stage that no file wrote, without options.
  fileprivate static func plain(_ name: String) -> PipelineStage {
    PipelineStage(name: name, line: 0, options: [:], optionLines: [:], rules: [])
  }
}
