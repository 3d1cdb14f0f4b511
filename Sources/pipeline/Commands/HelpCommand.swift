import StorePipeline

/// `pipeline help`: the same text as `--help`, for those who ask first and type afterwards.
struct HelpCommand: Command {
  static let name = "help"
  static let summary = "Explain a command, or list them all; or print a page."
  static let discussion = """
    The pages are those of the documentation: pipeline-file, scripts, hooks, functions, stages and \
    losses.
    """
  static let examples = [
    Example("Explain a command", "pipeline help inspect"),
    Example("List the commands", "pipeline help"),
    Example("Read how a pipeline file is written", "pipeline help pipeline-file"),
  ]
  static let arguments: [Argument<Self>] = [
    .repeating(
      "command", \.words,
      "The command, with its second word if it has one; or a page.", isRequired: false)
  ]

  var words: [String] = []

  func run(_ context: Context) throws -> ExitStatus {
    if words.count == 1, let page = HelpPage(rawValue: words[0]) {
      context.console.result(page.text)
      return .done
    }
    return try context.console.explain(context.program.topic(words))
  }
}
