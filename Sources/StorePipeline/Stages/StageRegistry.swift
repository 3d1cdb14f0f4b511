/// The stages a pipeline file may name: a list that everybody can see, and a value.
public struct StageRegistry: Sendable {
  /// The stages, in the order they are listed.
  public let entries: [StageEntry]

  /// A list of stages; of several with one name the last counts.
  public init(_ stages: [any Stage.Type]) { self.init(stages.map(StageEntry.type)) }

  private init(_ entries: [StageEntry]) {
    self.entries = entries.indices.filter { index in
      !entries[(index + 1)...].contains { $0.description.name == entries[index].description.name }
    }.map { entries[$0] }
  }

  /// The stages that ship.
  public static let standard = StageRegistry([
    DetectStage.self, OpenStage.self, CopyStage.self, TransformStage.self, ConnectStage.self,
    MetadataStage.self, ValidateStage.self, VerifyStage.self, ReportStage.self, BackupStage.self,
    SwapStage.self, HookStage.self,
  ]).with(ShippedStages.all)

  /// The same list with one more stage, which takes the place of one with its name.
  public func with(_ stage: any Stage.Type) -> StageRegistry {
    StageRegistry(entries + [.type(stage)])
  }

  /// The same list with more stages, which take the places of those with their names.
  public func with(_ stages: [LuaStage]) -> StageRegistry {
    StageRegistry(entries + stages.map(StageEntry.lua))
  }

  /// The same list without a stage.
  public func without(_ name: String) -> StageRegistry {
    StageRegistry(entries.filter { $0.description.name != name })
  }

  /// The descriptions, in the order of the list.
  public var descriptions: [StageDescription] { entries.map(\.description) }

  /// The description of a stage.
  public subscript(name: String) -> StageDescription? { stage(named: name)?.description }

  /// A stage.
  public func stage(named name: String) -> StageEntry? {
    entries.first { $0.description.name == name }
  }
}
