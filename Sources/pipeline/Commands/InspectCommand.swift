import CoreDataStore
import StorePipeline

/// `pipeline inspect`: what a store or a model is and what is in it.
struct InspectCommand: Command {
  static let name = "inspect"
  static let summary = "Say what a store or a model is and what is in it."
  static let discussion = """
    Looking changes nothing: where reading would write next to a store, a copy is read.

    A store's version is recognised by its version hashes: from the models named with --models, or \
    else from the model that the store keeps of itself. --against compares it with one model and \
    says why it does not fit, property by property; the status is then 1. The status \
    is 3 if no model given has the store's version and the store's own model cannot be read.
    """
  static let examples = [
    Example("Look at a store", "pipeline inspect Notes.sqlite"),
    Example(
      "Say which version it is", "pipeline inspect Notes.sqlite --models Notes.xcdatamodeld"),
    Example(
      "Say why a model does not fit", "pipeline inspect Notes.sqlite --against Notes.xcdatamodeld"),
    Example("Look at a model", "pipeline inspect Notes.xcdatamodeld --version Notes"),
    Example("The same for a program", "pipeline inspect Notes.sqlite --json"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("store|model", \.path, "The store or model to look at.", takes: .store),
    .repeated(
      "models", value: "PATH", \.models, "Models to recognise the store's version by.",
      takes: .file),
    .option(
      "against", value: "MODEL", \.against, "Say whether this model fits the store, and why not.",
      takes: .file),
    .option(
      "version", value: "NAME", \.version,
      "The version of the model; the current one unless given."),
    .flag("metadata", \.metadata, "Show all of the store's metadata."),
    .flag("values", \.values, "Show the application's own metadata too, which may be private."),
  ]
  static let shared: SharedOptions = .json

  var path = ""
  var models: [String] = []
  var against: String?
  var version: String?
  var metadata = false
  var values = false

  func run(_ context: Context) throws -> ExitStatus {
    try ModelArgument.isModel(path) ? inspectModel(context) : inspectStore(context)
  }

  private func inspectModel(_ context: Context) throws -> ExitStatus {
    guard against == nil, models.isEmpty, !metadata, !values else {
      throw UsageError("a model takes none of --against, --models, --metadata and --values")
    }
    let (model, origin) = try ModelArgument(path: path, version: version).open()
    let report = ModelReport(model, from: origin)
    let console = context.console
    for note in report.hashes.notes { console.note("note: \(note)") }
    console.result(
      context.options.json
        ? JSONModelReport(report).text
        : TextModelReport(report, width: console.reportWidth, style: console.outputStyle).text)
    return .done
  }

  private func inspectStore(_ context: Context) throws -> ExitStatus {
    guard version == nil || against != nil else {
      throw UsageError("--version says which version of --against is meant; a store has only one")
    }
    let store = try Store(path)
    let comparison = try against.map { against in
      let model = try ModelArgument(path: against, version: version).open().model
      return StoreReport.Comparison(model: model.name, misfits: try store.misfits(of: model))
    }
    let sources =
      models.isEmpty ? [against].compactMap(\.self).filter(ModelArgument.isModel) : models
    let recognition = try store.recognise(among: sources.isEmpty ? nil : ModelSource(sources))
    let report = StoreReport(
      path: path, facts: try store.facts(recognition), models: sources, comparison: comparison,
      showsMetadata: metadata || values, showsValues: values)
    let console = context.console
    console.result(
      context.options.json
        ? JSONStoreReport(report).text
        : TextStoreReport(report, width: console.reportWidth, style: console.outputStyle).text)
    guard recognition.known != .none || recognition.cacheProblem == nil else {
      console.warn("the version of \(path.word) is unknown: name its models with --models")
      return .unusable
    }
    return comparison?.fits == false ? .no : .done
  }
}
