/// The stages a pipeline file may name: a list that everybody can see, and a value.
public struct StageRegistry: Sendable {
  /// The stages, in the order they are listed.
  public let stages: [any Stage.Type]

  /// A list of stages; of several with one name the last counts.
  public init(_ stages: [any Stage.Type]) {
    self.stages = stages.indices.filter { index in
      !stages[(index + 1)...].contains { $0.description.name == stages[index].description.name }
    }.map { stages[$0] }
  }

  /// The stages that ship.
  public static let standard = StageRegistry([
    DetectStage.self, OpenStage.self, CopyStage.self, TransformStage.self, ConnectStage.self,
    MetadataStage.self, ValidateStage.self, VerifyStage.self, ReportStage.self, BackupStage.self,
    SwapStage.self, HookStage.self,
  ])

  /// The same list with one more stage, which takes the place of one with its name.
  public func with(_ stage: any Stage.Type) -> StageRegistry { StageRegistry(stages + [stage]) }

  /// The same list without a stage.
  public func without(_ name: String) -> StageRegistry {
    StageRegistry(stages.filter { $0.description.name != name })
  }

  /// The descriptions, in the order of the list.
  public var descriptions: [StageDescription] { stages.map { $0.description } }

  /// The description of a stage.
  public subscript(name: String) -> StageDescription? { stage(named: name)?.description }

  /// A stage.
  public func stage(named name: String) -> (any Stage.Type)? {
    stages.first { $0.description.name == name }
  }
}
