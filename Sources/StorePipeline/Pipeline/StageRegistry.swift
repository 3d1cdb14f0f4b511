/// The stages a pipeline file may name: a visible list, and a value.
public struct StageRegistry: Sendable {
  /// The stages, in the order they are listed.
  public let kinds: [StageKind]

  /// A list of stages; of several with one name the last counts.
  init(kinds: [StageKind]) {
    self.kinds = kinds.indices.filter { index in
      !kinds[(index + 1)...].contains { $0.description.name == kinds[index].description.name }
    }.map { kinds[$0] }
  }

  /// The same list with more stages, which take the places of those with their names.
  func with(_ more: [StageKind]) -> StageRegistry { StageRegistry(kinds: kinds + more) }

  /// The same list without a stage.
  public func without(_ name: String) -> StageRegistry {
    StageRegistry(kinds: kinds.filter { $0.description.name != name })
  }

  /// The descriptions, in the order of the list.
  public var descriptions: [StageDescription] { kinds.map(\.description) }

  /// The description of a stage.
  public subscript(name: String) -> StageDescription? { kind(named: name)?.description }

  /// A stage.
  public func kind(named name: String) -> StageKind? {
    kinds.first { $0.description.name == name }
  }

  /// What the stages of a pipeline declare.
  func declarations(of pipeline: Pipeline) -> StageDeclarations {
    declarations(of: pipeline.stages.map(\.stage))
  }

  /// What stages declare together, in their order.
  func declarations(of stages: [PipelineStage]) -> StageDeclarations {
    stages.reduce(into: StageDeclarations()) { declarations, written in
      kind(named: written.name)?.stage(written).declare(written, in: &declarations)
    }
  }
}
