import StorePipeline

/// `pipeline model rules`: what `model diff --fail-on` can look for.
struct ModelRulesCommand: Command {
  static let name = "rules"
  static let summary = "List the rules that a change of a model can be checked by."
  static let discussion = """
    The names are those that 'model diff' takes after --fail-on, --warn-on and --allow. They stay \
    the same from release to release.
    """
  static let examples = [
    Example("List the rules", "pipeline model rules"),
    Example("Write the reference, with an example of each", "pipeline model rules --markdown"),
  ]
  static let arguments: [Argument<Self>] = [
    .flag("markdown", \.markdown, "Print the reference as Markdown.")
  ]
  static let shared: SharedOptions = .json

  var markdown = false

  func run(_ context: Context) throws -> ExitStatus {
    guard !markdown || !context.options.json else {
      throw UsageError("--markdown and --json do not go together")
    }
    let console = context.console
    if context.options.json {
      console.result(LintRule.json)
    } else if markdown {
      console.result(String(try LintRule.markdown().dropLast()))
    } else {
      console.result(LintRule.text(width: console.reportWidth, style: console.outputStyle))
    }
    return .done
  }
}
