import CoreDataStore
import StorePipeline

/// `pipeline stages`: the stages a pipeline file may name, and all there is to know of one.
struct StagesCommand: Command {
  static let name = "stages"
  static let summary = "List the stages of pipeline files, or explain one."
  static let discussion = """
    What is said here is what checks a pipeline file: options, their values and defaults, and the \
    order stages may stand in.
    """
  static let examples = [
    Example("List the stages", "pipeline stages"),
    Example("Explain one", "pipeline stages copy"),
    Example("Explain one of your own", "pipeline stages --plugin stages/trim.lua trim"),
    Example("Write the reference", "pipeline stages --markdown > stages.md"),
  ]
  static let arguments: [Argument<Self>] = [
    .optional("name", \.stage, "The stage to explain; without it all are listed."),
    .repeated(
      "plugin", value: "FILE", \.plugins, "Add the stage of a Lua file, as 'plugins' does.",
      takes: .file),
    .flag("markdown", \.markdown, "Print the reference as Markdown."),
  ]
  static let shared: SharedOptions = .json

  var stage: String?
  var plugins: [String] = []
  var markdown = false

  func run(_ context: Context) throws -> ExitStatus {
    guard !markdown || !context.options.json else {
      throw UsageError("--markdown and --json do not go together")
    }
    let plugins = try self.plugins.map { try LuaStage.load(path: $0) }
    let stages = try wanted(StageRegistry.standard.with(plugins))
    let reference = StageReference(stages)
    let width = context.console.outputWidth
    if context.options.json {
      context.console.result(reference.json)
    } else if markdown {
      context.console.result(String(reference.markdown.dropLast()))
    } else if stage != nil, let stage = stages.first {
      context.console.result(Self.page(of: stage, width: width, context.console.outputStyle))
    } else {
      let rows = stages.map { (term: $0.name, meaning: $0.summary) }
      context.console.result(Columns(rows: rows).lines(width: width).joined(separator: "\n"))
    }
    return .done
  }

  private func wanted(_ stages: StageRegistry) throws(UsageError) -> [StageDescription] {
    guard let stage else { return stages.descriptions }
    guard let description = stages[stage] else {
      let near = NearestName.suggestion(for: stage, among: stages.descriptions.map(\.name))
      throw UsageError("there is no stage \(stage.word)\(near)")
    }
    return [description]
  }

  /// A stage explained on a terminal.
  private static func page(of stage: StageDescription, width: Int, _ style: Style) -> String {
    var lines = stage.summary.wrapped(to: width)
    if !stage.details.isEmpty { lines += [""] + stage.details.wrapped(to: width) }
    if !stage.options.isEmpty {
      lines += ["", style.bold("Options:")] + table(of: stage.options, width)
    }
    for rule in stage.rules {
      lines += ["", style.bold("\(rule.name):")] + rule.summary.wrapped(to: width)
      lines += table(of: rule.options, width)
    }
    let facts = stage.facts.map { (term: $0.about, meaning: $0.fact) }
    lines += ["", style.bold("Place:")] + Columns(rows: facts).lines(width: width)
    lines += ["", style.bold("Example:")]
    lines += stage.example.split(separator: "\n").map { "  \($0)" }
    return lines.joined(separator: "\n")
  }

  private static func table(of options: [OptionDescription], _ width: Int) -> [String] {
    let rows = options.flatMap { $0.withFields }.map { name, option in
      let standing = option.isRequired ? " Required." : option.default.map { " Default: \($0)." }
      let values = option.type.summary.filter { $0 != "`" }
      let help = option.help.filter { $0 != "`" }
      return (term: name, meaning: "\(help) Takes: \(values).\(standing ?? "")")
    }
    return Columns(rows: rows).lines(width: width)
  }
}
