/// `stage "hook"`: a program of the user's.
public enum HookStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "hook",
    summary: "Runs a program.",
    details: """
      The program is started directly, never through a shell, and only after it was trusted by \
      its digest. It finds the facts of the run in its environment; `${status}` in an argument is \
      replaced by the run's status. Without `on` it runs when its turn comes, and a status other \
      than 0 ends the run.
      """,
    options: [
      OptionDescription(
        "command", .oneOrMore(.text), isRequired: true,
        help: "The program and its arguments, one text each."),
      OptionDescription(
        "on", .oneOrMore(.choice(["started", "swapped", "failed", "finished"])),
        help: "The moments to run at, in place of its turn."),
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
  /// Starts no program yet: ``Run`` refuses pipelines with this stage before anything is done.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    throw RunFailure(
      .misuse, what: "cannot run the stage", subject: "hook",
      why: "This version starts no programs yet.",
      remedy: "Take the stage out, and start the program when the run has ended.")
  }
}
