/// `stage "hook"`: a program of the user's.
package struct HookStage: Stage {
  private var command: [String] = []
  private var moments: [HookMoment]?
  private var time = Duration.seconds(60)

  /// The stage with all its defaults.
  package init() {}

  /// What it is called, what it does, where it may stand.
  package static let description = StageDescription(
    name: "hook",
    summary: "Runs a program.",
    details: """
      The run starts the program directly, never through a shell, and only if `pipeline trust` \
      was given the file as it is. The program runs in the file's folder and finds the facts of \
      the run in its environment, for example in PIPELINE_STATUS; `${status}` in an argument is \
      replaced by the same. Without `on` it runs when its turn comes, and a status other than 0 \
      ends the run; so does one at `started`. At the other moments, and below the swap, such a \
      status is only a warning. A resumed run starts the programs of `started` again, unless \
      the new store is already in its place; a run that finds nothing to do starts none of them.
      """,
    touches: [.programs], place: .anywhere, mayRepeat: true,
    example: #"""
      stage "hook" {
        on      = { "swapped", "failed" },
        command = { "notify", "--text", "${status}" },
      }
      """#)

  package static let options: [StageOption<Self>] = [
    .required("command", \.command, help: "The program and its arguments, one text each."),
    .option("on", \.moments, help: "The moments at which it runs, in place of its turn."),
    .option("time", \.time, help: "How long it may take before the run stops it."),
  ]
}

extension HookStage {
  /// Declares the program, which the user has to trust, and the moments it wants to be heard at.
  package func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {
    declarations.hooks.append(hook(written))
  }

  /// Starts the program, where its turn is the moment.
  package func run(_ context: RunContext) async throws {
    guard (moments ?? []).isEmpty else { return }
    try context.session.hooks.run(hook(context.written))
  }

  private func hook(_ written: PipelineStage) -> StageDeclarations.Hook {
    StageDeclarations.Hook(
      words: command, moments: moments ?? [], time: time, line: written.line,
      commandLine: written.line(of: "command"))
  }
}
