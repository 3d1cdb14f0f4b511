import StorePipeline

/// `pipeline run`: carries out a pipeline file on a store.
struct RunCommand: PlannedCommand {
  static let name = "run"
  static let summary = "Migrate a store as a pipeline file says."
  static let discussion = """
    The store is only read until the new one is whole and checked; then it takes the old one's \
    place in one transaction, and a backup of the old one stays. A status other than 0 means that \
    the old store is in place; with several stores, each has a status of its own.

    A run that was killed or interrupted resumes with the same command. When the pipeline, a \
    script or a model has changed since, it is refused; --restart starts over.

    --dry-run does everything but the swap, into a store that goes with the run, and shows what \
    would change: nothing next to the store is touched. --sample N does that for N objects of each \
    entity and what they lead to. The status is 1 when the new store would break rules.

    With --output the result is written to another place and the store is left alone. A store that \
    is of the target version already is left alone too, unless --force is given.

    Several stores are runs of their own: one that fails does not stop the others, and the same \
    command takes up what is unfinished. --output, --report and --work name folders then, and a \
    table says what happened to each; of more than 20 it lists those that failed, and counts the \
    others, unless --all is given. The status is 0 when all are done; 4 or 5 when a store that \
    failed is worth another try; else the one that all that failed have in common, or 1.
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
    Example(
      "The third of 64 tasks that share a list",
      "pipeline run notes.pipeline --stores-from stores.txt --shard 3/64"),
    Example(
      "A folder of stores, four at a time",
      "pipeline run notes.pipeline stores/*.sqlite --jobs 4 --report reports/"),
  ]
  static let arguments: [Argument<Self>] =
    [
      .positional("file", \.file, "The pipeline file, or the JSON of a plan.", takes: .pipeline),
      .repeating(
        "store", \.stores, "The stores; the one the file names unless given.", isRequired: false,
        takes: .store),
      .repeated("set", value: "NAME=VALUE", \.parameters, "Set a param of the file."),
    ] + RunChoices.arguments.map { $0.within(\.choices) }
    + FleetChoices.arguments.map { $0.within(\.fleet) }
  static let shared: SharedOptions = [.all, .workers]
  static let outlivesLostResults = true

  var file = ""
  var stores: [String] = []
  var parameters: [String] = []
  var choices = RunChoices()
  var fleet = FleetChoices()
  var worksAtOnce: Int { fleet.jobs ?? 1 }

  func run(_ context: Context) async throws -> ExitStatus {
    let pipeline = try PipelineArgument(path: file, parameters: parameters).open(context.console)
    let paths = stores.isEmpty && fleet.list == nil ? try pipeline.namedStores() : stores
    if fleet.isMeant(for: paths, choices) { return try await runAll(pipeline, paths, context) }
    let store = try one(of: paths)
    return try await choices.run(pipeline, store, command: words(store, choices), context)
  }

  private func runAll(
    _ pipeline: Pipeline, _ paths: [String], _ context: Context
  ) async throws -> ExitStatus {
    try choices.check()
    let named = try await fleet.stores(besides: paths)
    try choices.checkFiles(pipeline, named.paths, context)
    let options = choices.options(context.options)
    let list = try FleetStore.list(named.paths, options, among: named.all) { path, options in
      var choices = choices
      choices.output = options.output
      return words(path, choices)
    }
    let planner = try choices.planner(pipeline)
    try FleetStore.keepPlaces(of: list)
    return try await fleet.run(planner, list, context)
  }

  /// The words that resume the run of one store.
  private func words(_ store: String, _ choices: RunChoices) -> [String] {
    let parameters = parameters.map { CommandRecord.Word.option("set", $0) }
    return CommandRecord.words(
      Self.name, [.path(file), .path(store)] + parameters + choices.words)
  }

  func plan(_ console: Console) throws -> Plan {
    let pipeline = try PipelineArgument(path: file, parameters: parameters).open(console)
    return try choices.plan(pipeline, one(of: stores.isEmpty ? pipeline.namedStores() : stores))
  }

  private func one(of stores: [String]) throws(UsageError) -> String {
    guard let store = stores.first else {
      throw UsageError(
        "no store is given, and \(file.word) names none: pipeline run \(file.word) STORE")
    }
    return store
  }
}
