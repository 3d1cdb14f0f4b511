/// Everything a run does, in order: the pipeline's stages, those of the steps that remain, and
/// what ends each step.
struct RunSchedule {
  /// One piece of it.
  enum Unit: Equatable {
    /// A stage; those that build a store belong to a step.
    case stage(PipelineStage, step: Int?)
    /// The objects of a step and their links are there, and are changed from here on.
    case settle(step: Int)
    /// The store that a step has built is made whole, and becomes the source of the next step.
    case finish(step: Int)
  }

  /// The pieces, in order.
  let units: [Unit]

  /// The order of a pipeline's stages.
  ///
  /// - Parameters:
  ///   - entries: What the pipeline is made of.
  ///   - steps: The versions that the steps which remain arrive at.
  ///   - stages: What is known of the stages.
  init(_ entries: [Pipeline.Entry], steps: [String], stages: StageRegistry) {
    let hasSteps = entries.contains { if case .step = $0 { true } else { false } }
    units =
      hasSteps
      ? Self.chain(entries, steps, stages) : Self.direct(entries, stages, isNeeded: !steps.isEmpty)
  }

  /// The names of all stages.
  var stages: [String] {
    units.compactMap { unit in
      guard case .stage(let stage, _) = unit else { return nil }
      return stage.name
    }
  }

  private static func chain(
    _ entries: [Pipeline.Entry], _ steps: [String], _ stages: StageRegistry
  ) -> [Unit] {
    entries.flatMap { entry -> [Unit] in
      switch entry {
      case .stage(let stage): return [.stage(stage, step: nil)]
      case .step(let step):
        guard let place = steps.firstIndex(of: step.version) else { return [] }
        return whole(step.stages.map { .stage($0, step: place) }, step: place, stages)
      }
    }
  }

  /// Without steps the stages that build a store are one step, wherever others stand among them.
  private static func direct(
    _ entries: [Pipeline.Entry], _ stages: StageRegistry, isNeeded: Bool
  ) -> [Unit] {
    let units = entries.compactMap { entry -> Unit? in
      guard case .stage(let stage) = entry else { return nil }
      let builds = stages[stage.name]?.place == .inStep
      return .stage(stage, step: builds ? 0 : nil)
    }
    let isBuilding = { (unit: Unit) in if case .stage(_, step: 0) = unit { true } else { false } }
    guard isNeeded, let last = units.lastIndex(where: isBuilding) else { return units }
    return whole(Array(units[...last]), step: 0, stages) + units[(last + 1)...]
  }

  /// What makes the objects of a step, their links, what changes them then, and the end.
  private static func whole(_ units: [Unit], step: Int, _ stages: StageRegistry) -> [Unit] {
    let first = units.firstIndex { unit in
      guard case .stage(let stage, _) = unit else { return false }
      return stages[stage.name]?.revises == true
    }
    let making = Array(units[..<(first ?? units.endIndex)])
    let name = ConnectStage.description.name
    let connects = making.contains { unit in
      guard case .stage(let stage, _) = unit else { return false }
      return stage.name == name
    }
    let connect = Unit.stage(.plain(name), step: step)
    let revising = first.map { [.settle(step: step)] + units[$0...] } ?? []
    return making + (connects ? [] : [connect]) + revising + [.finish(step: step)]
  }
}

extension PipelineStage {
  /// A stage that no file wrote, without options.
  fileprivate static func plain(_ name: String) -> PipelineStage {
    PipelineStage(name: name, line: 0, options: [:], optionLines: [:], rules: [])
  }
}
