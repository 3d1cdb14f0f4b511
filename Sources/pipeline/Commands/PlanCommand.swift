import CoreDataStore
import Foundation
import StorePipeline

/// `pipeline plan`: what a run would do.
struct PlanCommand: Command {
  static let name = "plan"
  static let summary = "Say what a run would do, and what would be lost."
  static let discussion = """
    Nothing is written. For each entity the plan says how its objects travel: kept (rows stay as \
    they are), copied (by SQL), scripted, added or dropped; where each attribute comes from and by \
    which rule; and what would be lost. With a store it counts, and names the steps that remain \
    for the store's version, the room a run takes, and object URIs that break.

    What would be lost must be declared in the file, with drop or accept_loss, or here with \
    --accept-loss; data that the store has none of counts for nothing. When something is wrong the \
    status is 2. The answer of --json is accepted in place of the pipeline file.

    With --preflight the objects are read too, and the answer is which of them will break rules of \
    the new model: no value where one must be, values shared that must be unique, links that lead \
    nowhere or to too few or too many, bounds, lengths and patterns; and which have a value that a \
    convert of the file can make nothing of. Each kind comes with the line that would settle it. \
    What scripts make is not known yet and is left out. Of several steps the \
    new version is what counts, as far as it can be seen through all of them; the first step's is \
    shown next to it. What was wrong in the store already counts for nothing; for anything else \
    the status is 1.

    --report draws the plan as one page that needs no network: both models side by side, a line \
    from each property to where it goes, losses in red, scripts in the margin.
    """
  static let examples = [
    Example("What would be done to a store", "pipeline plan notes.pipeline Notes.sqlite"),
    Example("What a file does to any store", "pipeline plan notes.pipeline"),
    Example(
      "Which objects will not fit", "pipeline plan notes.pipeline Notes.sqlite --preflight"),
    Example(
      "As a page, to look at or to attach",
      "pipeline plan notes.pipeline Notes.sqlite --report plan.html"),
    Example(
      "Without a pattern of data",
      "pipeline plan notes.pipeline Notes.sqlite --accept-loss 'Note.*'"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("file", \.file, "The pipeline file, or the JSON of a plan.", takes: .pipeline),
    .optional("store", \.store, "The store; the one the file names unless given.", takes: .store),
    .repeated("set", value: "NAME=VALUE", \.parameters, "Set a param of the file."),
    .repeated(
      "accept-loss", value: "NAME", \.losses,
      "Data that may go: Entity.property, Entity.*, *, or CloudKit for changes not exported."),
    .flag("force", \.force, "Plan although the store is of the target version already."),
    .flag(
      "preflight", \.isPreflight, "Find the objects of the store that will break the new rules."),
    .option(
      "report", value: "FILE", \.report, "Draw the plan into FILE, a new .html.",
      takes: .written(.new)),
    .option(
      "limit", value: "N", \.limit, "The most objects that --preflight lists; all are counted."),
  ]
  static let shared: SharedOptions = .json

  var file = ""
  var store: String?
  var parameters: [String] = []
  var losses: [String] = []
  var force = false
  var isPreflight = false
  var limit = 100
  var report: String?

  func run(_ context: Context) throws -> ExitStatus {
    let console = context.console
    let page = try page()
    let pipeline = try PipelineArgument(path: file, parameters: parameters).open(console)
    let settings = PlanSettings(acceptedLosses: losses, force: force)
    let path = try store ?? namedStore(pipeline)
    let planner = try Planner(pipeline: pipeline, settings: settings)
    let opened = try path.map { try Store($0, stops: { Task.isCancelled }) }
    var plan = try planner.plan(store: opened)
    if let path { try plan.warn(of: path) }
    try page?.create(HTMLPlanReport(plan, store: path).text)
    if let page { console.note("drawn: \(page.path)") }
    if isPreflight { return try preflight(plan, opened, context) }
    if context.options.json {
      console.result(JSONPlanReport(plan).text)
    } else {
      console.result(
        TextPlanReport(
          plan, store: path, width: console.reportWidth, style: console.outputStyle
        ).text)
      if !plan.problems.isEmpty { console.report(FileMistakes(plan.problems).problems) }
    }
    return plan.problems.isEmpty ? .done : FileMistakes(plan.problems).status
  }

  /// The file that is drawn into; nothing may be there.
  private func page() throws -> NewFile? {
    guard let report else { return nil }
    guard DifferenceForm(path: report) == .html else {
      throw UsageError("--report takes a file that ends in .html, not \(report.quoted)")
    }
    let page = NewFile(path: report)
    try page.checkAbsence()
    return page
  }

  private func preflight(_ plan: Plan, _ store: Store?, _ context: Context) throws -> ExitStatus {
    guard let store else { throw UsageError("--preflight needs a store") }
    guard limit >= 0 else { throw UsageError("--limit takes a number of objects, not \(limit)") }
    let console = context.console
    let result = try plan.preflight(of: store, limit: limit)
    if context.options.json {
      console.result(JSONPreflightReport(result, plan).text)
    } else if !result.isEmpty {
      console.result(
        TextPreflightReport(
          result, plan, width: console.reportWidth, style: console.outputStyle
        ).text)
    } else if plan.problems.isEmpty {
      console.result("nothing to do: the store is of this version already")
    }
    guard plan.problems.isEmpty else {
      let mistakes = FileMistakes(plan.problems)
      console.report(mistakes.problems)
      return mistakes.status
    }
    return result.errors == 0 ? .done : .no
  }
}

extension PlanCommand {
  /// The store that the file names, when it is there.
  private func namedStore(_ pipeline: Pipeline) throws -> String? {
    let stores = try pipeline.namedStores()
    guard stores.count < 2 else {
      let list = stores.prefix(5).map(\.word).joined(separator: ", ")
      throw UsageError(
        "\(file.word) names \(stores.count) stores, and a plan is for one: give it one of \(list)")
    }
    return stores.first.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
  }
}
