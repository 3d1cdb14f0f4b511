import StorePipeline

/// `pipeline upgrade`: the standard pipeline, without a file.
struct UpgradeCommand: PlannedCommand {
  static let name = "upgrade"
  static let summary = "Migrate a store by inference alone, without a pipeline file."
  static let discussion = """
    Which entity and property becomes which is inferred by the rules of Core Data's lightweight \
    migration. What they do not answer is reported, with the lines that a pipeline file would \
    need; data that would be lost has to be given up by name with --accept-loss.

    All else is as with `pipeline run`: the old store is in place until the new one is whole, and \
    a backup of it stays.
    """
  static let examples = [
    Example(
      "To the current version", "pipeline upgrade Notes.sqlite --models Notes.xcdatamodeld"),
    Example(
      "To another one, elsewhere",
      "pipeline upgrade Notes.sqlite --models App.momd --to 'App 3' --output New.sqlite"),
  ]
  static let arguments: [Argument<Self>] =
    [
      .positional("store", \.store, "The store.", takes: .store),
      .repeated(
        "models", value: "PATH", \.models, "The models; several are merged.", takes: .model),
      .option(
        "to", value: "VERSION", \.version,
        "The version to migrate to; the current one unless given."),
    ] + RunChoices.arguments.map { $0.within(\.choices) }
  static let shared: SharedOptions = [.all, .workers]
  static let outlivesLostResults = true

  var store = ""
  var models: [String] = []
  var version: String?
  var choices = RunChoices()

  func run(_ context: Context) async throws -> ExitStatus {
    let version = version.map { [CommandRecord.Word.option("to", $0)] } ?? []
    let words = CommandRecord.words(
      Self.name,
      [.path(store)] + models.map { .file("models", $0) } + version + choices.words)
    return try await choices.run(try pipeline(), store, command: words, context)
  }

  func plan(_ console: Console) throws -> Plan { try choices.plan(try pipeline(), store) }

  private func pipeline() throws -> Pipeline {
    guard !models.isEmpty else {
      throw UsageError("--models is missing: the model that the store is to have")
    }
    // From another folder it has to be the same pipeline, or the run is not resumed.
    return try Pipeline.standard(models: models.map(CommandRecord.absolute), target: version)
  }
}
