internal import CoreDataStore
internal import StoreMigration

/// A stage in Lua with its options, which its file reads as the pipeline file has them.
struct RunnableLuaStage: RunnableStage {
  let file: LuaStage

  /// Works on the objects of the current step.
  func run(_ context: RunContext) async throws {
    let keepsHistory = context.plan.declarations.metadata.history == .keep
    let log = context.session.log
    try context.session.builder().revise { builder, number, facts in
      let run = StageRun(
        file, context.written, builder, number: number, facts, keepsHistory: keepsHistory, log)
      try run.run()
    }
  }
}

extension LuaStage {
  /// The stage as a pipeline file may name it.
  var kind: StageKind { StageKind(description, file: self) { _ in RunnableLuaStage(file: self) } }
}

extension StageRegistry {
  /// The same list with more stages, which take the places of those with their names.
  public func with(_ stages: [LuaStage]) -> StageRegistry { with(stages.map(\.kind)) }
}
