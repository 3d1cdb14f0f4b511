/// One stage of a registry: a type of Swift's, or a file of Lua's.
public enum StageEntry: Sendable {
  /// A type.
  case type(any Stage.Type)
  /// A file.
  case lua(LuaStage)

  /// What is to be known of it.
  public var description: StageDescription {
    switch self {
    case .type(let type): type.description
    case .lua(let stage): stage.description
    }
  }

  /// Does its work.
  func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    switch self {
    case .type(let type): try await type.run(stage, context)
    case .lua(let file): try file.run(stage, context)
    }
  }
}
