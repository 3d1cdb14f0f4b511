import StorePipeline

/// `pipeline try`: a script on real objects, side by side, with nothing written.
struct TryCommand: Command {
  static let name = "try"
  static let summary = "Try a script on objects of a store; nothing is written."
  static let discussion = """
    Each object stands next to what the script makes of it: ~ marks what changed, + what is new, - \
    what is gone. An object that the script fails on is followed by the error with its line.

    The objects and those they lead to are copied to a temporary folder; the store's own folder \
    stays as it is. `ctx.find` and `ctx.count` see these objects alone.

    The models come from --pipeline, or from --models with --from and --to.
    """
  static let examples = [
    Example(
      "On five objects", "pipeline try note.lua Notes.sqlite --pipeline notes.pipeline"),
    Example(
      "On chosen ones",
      "pipeline try note.lua Notes.sqlite --pipeline notes.pipeline --where 'done = YES'"),
    Example(
      "Without a pipeline file",
      "pipeline try note.lua Notes.sqlite --models Notes.xcdatamodeld --from Notes --to 'Notes 2'"),
  ]
  static let arguments: [Argument<Self>] =
    [
      .positional("script", \.script, "The script.", takes: .file),
      .positional("store", \.store, "The store.", takes: .store),
      .option(
        "entity", value: "NAME", \.entity, "The entity whose objects the script is given."),
      .option("where", value: "CONDITION", \.condition, "Only objects that meet a condition."),
      .option("limit", value: "N", \.limit, "How many objects; 5 unless given."),
    ] + ScriptModelsArgument.arguments.map { $0.within(\.models) }
  static let shared: SharedOptions = .json

  var script = ""
  var store = ""
  var entity: String?
  var condition: String?
  var limit = 5
  var models = ScriptModelsArgument()

  func run(_ context: Context) throws -> ExitStatus {
    let console = context.console
    guard limit > 0 else { throw UsageError("--limit takes a number above 0") }
    guard let models = try models.open(console) else {
      throw UsageError("give --pipeline FILE, or --models PATH with --from and --to")
    }
    let trial = ScriptTry(.init(path: script, entity: entity), between: models)
    let report = try trial.run(on: store, .init(condition: condition, limit: limit))
    console.result(
      context.options.json
        ? JSONTryReport(report).text
        : TextTryReport(report, width: console.reportWidth, style: console.outputStyle).text)
    return report.failed > 0 ? .no : .done
  }
}
