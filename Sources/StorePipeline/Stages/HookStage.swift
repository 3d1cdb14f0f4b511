/// `stage "hook"`: a program of the user's.
public enum HookStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "hook",
    summary: "Runs a program.",
    details: """
      The program is started directly, never through a shell, and only after `pipeline trust` was \
      given the file as it is. It runs in the file's folder and finds the facts of the run in its \
      environment, PIPELINE_STATUS for one; `${status}` in an argument is replaced by the same. \
      Without `on` it runs when its turn comes, and a status other than 0 ends the run; so does \
      one at `started`. At the other moments, and below the swap, that is a warning.
      """,
    options: [
      OptionDescription(
        "command", .oneOrMore(.text), isRequired: true,
        help: "The program and its arguments, one text each."),
      OptionDescription(
        "on", .oneOrMore(.choice(HookMoment.names)),
        help: "The moments to run at, in place of its turn."),
      OptionDescription(
        "time", .duration, default: .duration(usualTime),
        help: "How long it may take before it is stopped."),
    ],
    touches: [.programs], place: .anywhere, mayRepeat: true,
    example: #"""
      stage "hook" {
        on      = { "swapped", "failed" },
        command = { "notify", "--text", "${status}" },
      }
      """#)
}

extension HookStage {
  /// Starts the program, where its turn is the moment.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    guard stage.moments.isEmpty else { return }
    try context.work.hooks.run(stage)
  }

  /// How long a program may take whose stage says nothing of it.
  static let usualTime = Duration.seconds(60)
}
