/// `stage "transform"`: the objects of one entity, through a Lua script.
public enum TransformStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "transform",
    summary: "Makes the objects of the new version from those of one entity by a Lua script.",
    details: """
      The script returns a table: functions for attributes, or hooks that make none, one or many \
      objects of several entities. What it leaves unsaid is done as `copy` would do it. There is \
      one transform for an entity; it claims the entity from `copy`.
      """,
    options: [
      OptionDescription(
        "entity", .name(.entity), isRequired: true, help: "The entity, by its old name."),
      OptionDescription("script", .path(.script), isRequired: true, help: "The Lua file."),
      OptionDescription(
        "on_error", .choice(["stop", "skip", "reject"]), default: .text("stop"),
        help: """
          What becomes of an object the script fails on: the run stops, the object is left out and \
          counted, or it is rejected with the reason, for `pipeline retry`.
          """),
      OptionDescription(
        "rejects", .atLeast(0),
        help: "The run fails when more objects are rejected; without it there is no limit."),
      OptionDescription(
        "params", .fields(.anything), default: .table([:]),
        help: "Values for the script: its `ctx.params`."),
    ],
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
}

extension TransformStage {
  /// Gives the objects of one entity to its script, in chunks.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    let step = try context.work.step()
    guard let script = step.plan.scripts.first(where: { $0.stage == stage }) else { return }
    try step.transform(script, context.work.log)
  }
}
