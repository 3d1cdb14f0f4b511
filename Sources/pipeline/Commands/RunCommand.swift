import StorePipeline

/// `pipeline run`: carries out a pipeline file on a store.
struct RunCommand: PlannedCommand {
  static let name = "run"
  static let summary = "Migrate a store as a pipeline file says."
  static let discussion = """
    The store is only read until the new one is whole and checked; then it takes the old one's \
    place in one transaction, and a backup of the old one stays. A status other than 0 means that \
    the old store is in place.

    A run that was killed or interrupted goes on with the same command. When the pipeline, a \
    script or a model has changed since, it is refused; --restart begins anew.

    --dry-run does everything but the swap, into a store that goes with the run, and shows what \
    would change: nothing beside the store is touched. --sample N does that for N objects of each \
    entity and what they lead to. The status is 1 when the new store would break rules.

    With --output the result is written to another place and the store is left alone. A store that \
    is of the target version already is left alone too, unless --force is given.
    """
  static let examples = [
    Example("Migrate a store", "pipeline run notes.pipeline Notes.sqlite"),
    Example(
      "Leave the store alone", "pipeline run notes.pipeline Notes.sqlite --output New.sqlite"),
    Example("See what would change", "pipeline run notes.pipeline Notes.sqlite --dry-run"),
    Example(
      "As a page for a reviewer, of a few objects",
      "pipeline run notes.pipeline Notes.sqlite --sample 50 --report changes.html"),
    Example("Stop before the swap", "pipeline run notes.pipeline Notes.sqlite --until validate"),
  ]
  static let arguments: [Argument<Self>] =
    [
      .positional("file", \.file, "The pipeline file, or the JSON of a plan.", takes: .file),
      .optional("store", \.store, "The store; the one the file names unless given.", takes: .file),
      .repeated("set", value: "NAME=VALUE", \.parameters, "Set a param of the file."),
    ] + RunChoices.arguments.map { $0.within(\.choices) }
  static let shared: SharedOptions = .all
  static let outlivesLostResults = true

  var file = ""
  var store: String?
  var parameters: [String] = []
  var choices = RunChoices()

  func run(_ context: Context) async throws -> ExitStatus {
    let (pipeline, store) = try open(context.console)
    let words = CommandRecord.words(
      Self.name,
      [.path(file), .path(store)] + parameters.map { .option("set", $0) } + choices.words)
    return try await choices.run(pipeline, store, command: words, context)
  }

  func plan(_ console: Console) throws -> Plan {
    let (pipeline, store) = try open(console)
    return try choices.plan(pipeline, store)
  }

  private func open(_ console: Console) throws -> (Pipeline, String) {
    let pipeline = try PipelineArgument(path: file, parameters: parameters).open(console)
    guard let store = store ?? pipeline.store.map(pipeline.resolve) else {
      throw UsageError("no store is given, and \(file.word) names none")
    }
    return (pipeline, store)
  }
}
