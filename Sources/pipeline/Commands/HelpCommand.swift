import CoreDataStore
import StorePipeline

/// `pipeline help`: the same text as `--help`, for those who ask first and type afterwards.
struct HelpCommand: Command {
  static let name = "help"
  static let summary = "Explain a command, or list them all; or print a page."
  static let discussion = """
    The pages are those of the documentation: pipeline-file, scripts, hooks, functions, stages and \
    losses. A second word chooses a part of a page: a function, a stage, a hook; where no command \
    has its name, it is found without the page's.
    """
  static let examples = [
    Example("Explain a command", "pipeline help inspect"),
    Example("List the commands", "pipeline help"),
    Example("Read how a pipeline file is written", "pipeline help pipeline-file"),
    Example("Look up one function", "pipeline help functions text.trim"),
  ]
  static let arguments: [Argument<Self>] = [
    .repeating(
      "command", \.words,
      "The command, with its second word if it has one; or a page, and a part of it.",
      isRequired: false)
  ]

  var words: [String] = []

  func run(_ context: Context) throws -> ExitStatus {
    guard let first = words.first, let text = try text(first, context) else {
      return try context.console.explain(context.program.topic(words))
    }
    context.console.result(text)
    return .done
  }

  /// What the pages say; nil when a command is meant.
  private func text(_ first: String, _ context: Context) throws -> String? {
    let (width, style) = (context.console.pageWidth, context.console.outputStyle)
    let exact = HelpPage(rawValue: words.joined(separator: "-")) ?? HelpPage(rawValue: first)
    let isCommand = (try? context.program.topic(words)) != nil
    guard let page = exact ?? (isCommand ? nil : HelpPage(meant: first)) else {
      guard !isCommand, words.count == 1 else { return nil }
      if let text = HelpPage.text(about: first, width: width, style: style) { return text }
      let entries = context.program.sections.flatMap(\.entries).map(\.name)
      let titles = HelpPage.allCases.flatMap(\.titles)
      guard NearestName.of(first, among: entries) == nil,
        let near = NearestName.of(first, among: titles)
      else { return nil }
      throw UsageError("no page says anything about \(first.word); did you mean \(near)?")
    }
    guard words.count > 1, page.rawValue != words.joined(separator: "-") else {
      return page.text(width: width, style: style)
    }
    let part = words[1...].joined(separator: " ")
    if let text = HelpPage.text(about: part, in: [page], width: width, style: style) { return text }
    let near = NearestName.suggestion(for: part, among: page.titles)
    throw UsageError("the page \(page.rawValue) says nothing about \(part.word)\(near)")
  }
}
