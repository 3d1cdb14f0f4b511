import CoreDataStore
import Foundation
internal import StoreMigration
import StorePipeline

/// `pipeline diff`: two stores, object by object.
struct DiffCommand: Command {
  static let name = "diff"
  static let summary = "Compare two stores, object by object."
  static let discussion = """
    A is the store as it was, B as it is; both are only read. Entities and their properties pair \
    by name or by renaming identifier, objects by Z_PK; --key pairs the objects of an entity by \
    the values of an attribute instead. Values are compared by type and bits, data by digest \
    wherever it lies. Save counters, entity numbers, the order of columns, the version of Core \
    Data and the model cache are no differences.

    The status is 0 when the stores are the same and 1 when they differ. --report writes the \
    whole difference to a new file: a page that needs no network, Markdown for a pull request, or \
    JSON, by what the file's name ends in.
    """
  static let examples = [
    Example("Compare a store with its backup", "pipeline diff backup/Notes.sqlite Notes.sqlite"),
    Example(
      "As a page for a reviewer", "pipeline diff Old.sqlite New.sqlite --report difference.html"),
    Example(
      "Without showing users' data",
      "pipeline diff Old.sqlite New.sqlite --values none --report difference.md"),
    Example(
      "One entity, paired by an attribute",
      "pipeline diff A.sqlite B.sqlite --entity Note --key Note.identifier"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("a", \.a, "The store as it was.", takes: .store),
    .positional("b", \.b, "The store as it is.", takes: .store),
    .repeated("entity", value: "NAME", \.entities, "Compare this entity alone."),
    .option(
      "where", value: "CONDITION", \.condition,
      "Compare objects alone that meet this condition in A or in B; needs one --entity."),
    .repeated(
      "key", value: "ENTITY.ATTRIBUTE", \.keys,
      "Pair the entity's objects by this attribute instead of by Z_PK."),
    .repeated(
      "pair", value: "OLD=NEW", \.pairs, "Take the entity OLD of A for the entity NEW of B."),
    .option(
      "associations", value: "FILE", \.associations,
      "Pair objects as a run noted in FILE which came of which.", takes: .file),
    .repeated(
      "models", value: "PATH", \.models, "Models to recognise the stores' versions by.",
      takes: .file),
    .option("limit", value: "N", \.limit, "Show at most N objects one by one."),
    .choice("values", value: "HOW", \.values, "How much of the values is shown."),
    .repeated(
      "report", value: "FILE", \.reports,
      "Write the difference to FILE, a new .html, .md or .json.",
      takes: .written(.new)),
  ]
  static let shared: SharedOptions = [.json, .events, .values]

  var a = ""
  var b = ""
  var entities: [String] = []
  var condition: String?
  var keys: [String] = []
  var pairs: [String] = []
  var associations: String?
  var models: [String] = []
  var limit: Int?
  var values = ValueDisplay.short
  var reports: [String] = []

  func run(_ context: Context) throws -> ExitStatus {
    let files = try reportFiles()
    let choices = try comparisonChoices()
    let (first, second) = try stores()
    var maker = DifferenceMaker(first.store, second.store)
    maker.choices = choices
    maker.display = values
    maker.limits.objects = limit ?? (files.isEmpty ? Self.mostInJSON : maker.limits.objects)
    maker.showsImages = files.contains { $0.form == .html }
    let report = try maker.report(before: first.side, after: second.side) { progress in
      try context.cancellation.check()
      context.progress.report(
        ProgressEvent(
          .progress, time: Date(), run: "", store: b, stage: "diff", entity: progress.entity,
          rows: progress.rows))
    }
    context.progress.end()
    for (file, form) in files { try file.create { try form.write(report, into: $0) } }
    try tell(report, context)
    return report.isSame ? .done : .no
  }

  private static let mostInText = 20
  private static let mostInJSON = 1000

  private func tell(_ report: DifferenceReport, _ context: Context) throws {
    let console = context.console
    try console.result(
      context.options.json
        ? JSONDifferenceReport(report, limit: limit ?? Self.mostInJSON).text
        : TextDifferenceReport(
          report, limit: limit ?? Self.mostInText, width: console.reportWidth,
          style: console.outputStyle
        ).text)
    for path in reports { console.note("written: \(path)") }
  }
}

extension ValueDisplay: ArgumentChoice {}

// What the words on the command line mean.
extension DiffCommand {
  private func reportFiles() throws -> [(file: NewFile, form: DifferenceForm)] {
    try reports.map { path in
      guard let form = DifferenceForm(path: path) else {
        throw UsageError(
          "--report takes a file that ends in .html, .md or .json, not \(path.quoted)")
      }
      let file = NewFile(path: path)
      try file.checkAbsence()
      return (file, form)
    }
  }

  private func comparisonChoices() throws -> ComparisonChoices {
    guard condition == nil || entities.count == 1 else {
      throw UsageError("--where is about the objects of one entity: name it with --entity")
    }
    if let limit, limit < 0 { throw UsageError("--limit takes a number of objects, not \(limit)") }
    var choices = ComparisonChoices()
    choices.entities = entities
    choices.condition = condition
    choices.associations = associations
    choices.keys = try keys.map { text in
      let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw UsageError("--key takes Entity.attribute, not \(text.quoted)")
      }
      return PropertyReference(String(parts[0]), String(parts[1]))
    }
    for text in pairs {
      let parts = text.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw UsageError("--pair takes OLD=NEW, not \(text.quoted)")
      }
      choices.pairs[String(parts[1])] = String(parts[0])
    }
    return choices
  }

  private typealias Opened = (store: ComparedStore, side: DifferenceReport.Side)

  /// Both stores; one that is compared with itself is opened once.
  private func stores() throws -> (Opened, Opened) {
    // Both have to be there, before anything is said of the first.
    let isOne = try StoreFiles(a).path == StoreFiles(b).path
    let first = try open(a, store(a))
    return (first.opened, try isOne ? open(b, first.store).opened : open(b, store(b)).opened)
  }

  private func store(_ path: String) throws -> Store {
    try Store(path, stops: { Task.isCancelled })
  }

  private func open(_ path: String, _ store: Store) throws -> (store: Store, opened: Opened) {
    let recognition = try store.recognise(among: models.isEmpty ? nil : ModelSource(models))
    guard let model = recognition.model else {
      throw Failure(
        .unusable, what: "cannot compare the stores", subject: path,
        why: models.isEmpty
          ? "It keeps no model of itself, so nothing says what its columns mean."
          : "None of the models that are named is its own, and it keeps none of itself.",
        remedy: "Name the models it may have been made with: --models PATH.")
    }
    let identifiers = store.metadata.identifiers.joined(separator: ", ")
    let kept = identifiers.isEmpty ? "of its own" : identifiers
    let side = DifferenceReport.Side(
      path: path, version: recognition.known == .file ? model.name : kept)
    return (store, (try ComparedStore(store, model: model), side))
  }
}
