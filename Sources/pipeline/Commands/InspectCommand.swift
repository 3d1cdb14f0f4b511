import CoreDataStore
import Foundation
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

    Several stores, or a folder, are counted by version: only their schema and metadata are read. \
    With --models, a version that none of them has is unknown; --extract writes the model of each \
    unknown version once, as a store keeps it of itself. `fleet` says how their runs ended, too. \
    Links in a folder and hidden entries are counted and left out. The status is 1 when a store \
    cannot be read.
    """
  static let examples = [
    Example("Look at a store", "pipeline inspect Notes.sqlite"),
    Example(
      "Say which version it is", "pipeline inspect Notes.sqlite --models Notes.xcdatamodeld"),
    Example(
      "Say why a model does not fit", "pipeline inspect Notes.sqlite --against Notes.xcdatamodeld"),
    Example(
      "Count the versions in the wild, and get the models of those that are unknown",
      "pipeline inspect stores/ --models Notes.xcdatamodeld --extract unknown/"),
    Example("Look at a model", "pipeline inspect Notes.xcdatamodeld --version Notes"),
    Example("The same for a program", "pipeline inspect Notes.sqlite --json"),
  ]
  static let arguments: [Argument<Self>] = [
    .repeating(
      "store|model", \.paths, "The store or model to look at; or stores, and folders of them.",
      takes: .storeOrModel),
    .repeated(
      "models", value: "PATH", \.models,
      "Models to recognise the store's version by, or a folder of them.",
      takes: .file),
    .option(
      "against", value: "MODEL", \.against, "Say whether this model fits the store, and why not.",
      takes: .file),
    .option(
      "version", value: "NAME", \.version,
      "The version of the model; the current one unless given."),
    .option(
      "extract", value: "DIR", \.extract,
      "Write the models of unknown versions into DIR, each once.", takes: .written(.folder)),
    .flag("metadata", \.metadata, "Show all of the store's metadata."),
    .flag("values", \.values, "Show the application's own metadata too, which may be private."),
  ]
  static let shared: SharedOptions = .json

  var paths: [String] = []
  var models: [String] = []
  var extract: String?
  var against: String?
  var version: String?
  var metadata = false
  var values = false

  private var path: String { paths.first ?? "" }

  func run(_ context: Context) async throws -> ExitStatus {
    if paths.count > 1 || isFolderOfStores { return try await inspectMany(context) }
    guard extract == nil else {
      throw UsageError("--extract is about several stores; `model extract` writes one's model")
    }
    return try ModelArgument.isModel(path) ? inspectModel(context) : inspectStore(context)
  }

  /// Whether the path is a folder, and by its name no model's.
  private var isFolderOfStores: Bool {
    let ending = URL(filePath: path).pathExtension.lowercased()
    return ModelFile.Kind(rawValue: ending) == nil && FilePlace(path).isFolder
  }

  private func inspectMany(_ context: Context) async throws -> ExitStatus {
    guard against == nil, version == nil, !metadata, !values else {
      throw UsageError("several stores take none of --against, --version, --metadata and --values")
    }
    var choices = FleetPicture.Choices()
    choices.models = models.isEmpty ? nil : try ModelSource(models)
    choices.asksVersionsOnly = true
    let picture = try await FleetPicture.look(at: FleetPicture.Search(paths), choices)
    let (written, warnings) = try extract.map(picture.extractModels) ?? ([:], [])
    let console = context.console
    for folder in picture.unseen { console.warn("cannot read \(folder)") }
    for warning in picture.leftOut + warnings { console.warn(warning) }
    console.result(
      context.options.json
        ? picture.versionsJSON(models: written)
        : picture.versionsText(
          models: written, width: console.reportWidth, style: console.outputStyle))
    let isWhole = picture.unseen.isEmpty && picture.members.allSatisfy { $0.last == nil }
    return isWhole ? .done : .no
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
    let store = try Store(path, stops: { Task.isCancelled })
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
