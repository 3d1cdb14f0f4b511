/// `pipeline completions`: what a shell needs to complete the program's words.
struct CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "Print a completion script for a shell."
  static let discussion = """
    The script is made from the same table as this help, so install it again after an update.
    """
  static let examples = [
    Example("Complete in this bash", "source <(pipeline completions bash)"),
    Example(
      "Install for fish",
      "pipeline completions fish > ~/.config/fish/completions/pipeline.fish"),
    Example(
      "Install for zsh, in a folder of $fpath",
      "pipeline completions zsh > ~/.zsh/completions/_pipeline"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("shell", \.shell, "The shell the script is for.")
  ]

  var shell = Shell.bash

  func run(_ context: Context) throws -> ExitStatus {
    try context.console.answer(shell.script(for: context.program))
  }
}
