import CoreDataStore

/// Finds out what the stages in Lua of a step may change, and which of their names mean nothing.
struct RevisionPlanner {
  /// The stages, in order.
  private(set) var revisions: [PlannedRevision] = []
  /// The mistakes.
  private(set) var problems: [Problem] = []

  private let file: String
  private let model: Model

  init(_ stages: [PipelineStage], _ registry: StageRegistry, to model: Model, file: String) {
    (self.file, self.model) = (file, model)
    for stage in stages {
      guard let lua = registry.kind(named: stage.name)?.file else { continue }
      let found = mistakes(in: stage, lua.description)
      problems += found
      if found.isEmpty { plan(stage, lua) }
    }
  }

  private mutating func plan(_ stage: PipelineStage, _ lua: LuaStage) {
    do {
      let touches = StageTouches(try lua.touches(stage.options), model)
      problems += touches.mistakes.map { problem(stage.line, "\(stage.name) touches: \($0)") }
      revisions.append(
        PlannedRevision(
          stage: stage.name, touches: touches.names, entities: touches.entities,
          line: stage.line))
    } catch let problem as Problem {
      problems.append(problem)
    } catch {
      problems.append(problem(stage.line, "\(error)"))
    }
  }

  private func problem(_ line: Int, _ message: String) -> Problem {
    Problem(file: file, line: line, message: message)
  }

  /// The names in options that the target's model has not.
  private func mistakes(
    in stage: PipelineStage, _ description: StageDescription
  ) -> [Problem] {
    description.options.filter(\.type.isOfNames).flatMap { option in
      let value = stage[option.name]
      let names = (value?.list ?? [value].compactMap(\.self)).compactMap(\.text)
      return StageTouches(names, model).mistakes.map { problem(stage.line(of: option.name), $0) }
    }
  }
}

extension OptionType {
  /// Whether the values are names of entities and properties.
  fileprivate var isOfNames: Bool {
    switch self {
    case .name: true
    case .list(let type), .oneOrMore(let type): type.isOfNames
    default: false
    }
  }
}
