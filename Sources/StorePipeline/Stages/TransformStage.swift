/// `stage "transform"`: the objects of one entity, through a Lua script.
package struct TransformStage: Stage {
  private var entity = ""
  private var script = ""
  private var onError = ScriptOptions.OnError.stop
  private var rejects: Int?
  private var params: [String: OptionValue] = [:]

  /// The stage with all its defaults.
  package init() {}

  /// What it is called, what it does, where it may stand.
  package static let description = StageDescription(
    name: "transform",
    summary: "Makes the objects of the new version from those of one entity with a Lua script.",
    details: """
      The script returns a table: functions for attributes, or hooks that make none, one or many \
      objects of several entities. What it does not mention is done as `copy` would do it. An \
      entity has one transform at most, which claims it from `copy`.
      """,
    consumes: [.stores], produces: [.objects], touches: [.destination, .files], place: .inStep,
    mayRepeat: true,
    example: #"""
      stage "transform" {
        entity   = "Item",
        script   = "scripts/split.lua",
        on_error = "reject",
        rejects  = 100,
        params   = { size = 160 },
      }
      """#)

  package static let options: [StageOption<Self>] = [
    .required("entity", \.entity, .name(.entity), help: "The entity, by its old name."),
    .required("script", \.script, .path(.script), help: "The Lua file."),
    .option(
      "on_error", \.onError,
      help: """
        What happens if the script fails on an object: the run stops, the object is left out and \
        counted, or it is rejected with the reason, for `pipeline retry`.
        """),
    .option(
      "rejects", \.rejects, .atLeast(0),
      help: "The run fails if more objects than this are rejected; without it there is no limit."),
    .option("params", \.params, help: "Values for the script: its `ctx.params`."),
  ]
}

extension TransformStage {
  /// Declares the script, which the planner loads and asks what it is going to do.
  package func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {
    declarations.transforms.append(
      StageDeclarations.Transform(
        stage: written, entity: entity, script: script, params: params, onError: onError,
        mostRejects: rejects))
  }

  /// Gives the objects of one entity to its script, in chunks.
  package func run(_ context: RunContext) async throws {
    let step = try context.session.builder()
    guard let script = step.plan.scripts.first(where: { $0.stage == context.written }) else {
      return
    }
    try step.transform(script, context.session.log)
  }
}
