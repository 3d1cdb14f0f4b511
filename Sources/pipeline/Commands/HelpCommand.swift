/// `pipeline help`: the same text as `--help`, for those who ask first and type afterwards.
struct HelpCommand: Command {
  static let name = "help"
  static let summary = "Explain a command, or list them all."
  static let examples = [
    Example("Explain a command", "pipeline help inspect"),
    Example("List the commands", "pipeline help"),
  ]
  static let arguments: [Argument<Self>] = [
    .repeating(
      "command", \.words,
      "The command, with its second word if it has one.", isRequired: false)
  ]

  var words: [String] = []

  func run(_ context: Context) throws -> ExitStatus {
    try context.console.explain(context.program.topic(words))
  }
}
