import CoreDataStore
import Foundation
import StorePipeline
import StorePrograms

/// The options that `run` and `upgrade` have in common, and what both do with them.
struct RunChoices: Sendable {
  var losses: [String] = []
  var output: String?
  var until: String?
  var report: String?
  var force = false
  var restart = false
  var values = ValueDisplay.short
  var dryRun = false
  var sample: Int?
  var keep: String?
  var limit: Int?

  static let arguments: [Argument<Self>] = [
    .repeated(
      "accept-loss", value: "NAME", \.losses,
      "Data that may go: Entity.property, Entity.*, *, or CloudKit for changes not exported."),
    .option(
      "output", short: "o", value: "PATH", \.output,
      "Write the new store to PATH and leave the old one alone.", takes: .written(.store)),
    .option(
      "until", value: "STAGE", \.until, "Stop after this stage; the same command continues later."),
    .option(
      "report", value: "PATH", \.report,
      "Write what is different by the run to PATH, a new .html, .md or .json.",
      takes: .written(.new)),
    .flag(
      "dry-run", \.dryRun,
      "Do everything but the swap, in a folder that goes with it, and show what would change."),
    .option(
      "sample", value: "N", \.sample,
      "A dry run of N objects of each entity, and of what they lead to."),
    .option(
      "keep", value: "PATH", \.keep, "Keep the result of a dry run at PATH.",
      takes: .written(.store)),
    .option("limit", value: "N", \.limit, "Show at most N changed objects one by one."),
    .flag("force", \.force, "Run although the store is of the target version already."),
    .flag("restart", \.restart, "Give up what an interrupted run has done, and start over."),
    .choice(
      "values", value: "HOW", \.values,
      "How much of the values a report shows; full shows those that fail as well."),
  ]

  /// Plans a pipeline for a store, carries it out and reports what was done.
  func run(
    _ pipeline: Pipeline, _ store: String, command: [String], _ context: Context
  ) async throws -> ExitStatus {
    try check()
    try checkFiles(pipeline, [store], context)
    let plan: Plan
    do {
      plan = try self.plan(pipeline, store)
    } catch {
      context.progress.report(.refusal(of: store, "\(error)", RunStatus.of(error)))
      throw error
    }
    guard plan.problems.isEmpty else {
      let (mistakes, list) = (FileMistakes(plan.problems), plan.problems.map(\.description))
      context.progress.report(
        .refusal(of: store, list.joined(separator: "\n"), mistakes.status.rawValue))
      throw mistakes
    }
    var options = options(context.options)
    options.command = command
    options.resumed = context.resumed
    let run = Run(plan, store: store, options: options, programs: SystemPrograms())
    let findings = try await run.findings { context.progress.report($0) }
    context.progress.end()
    try tell(findings, context)
    return ExitStatus(rawValue: findings.summary.status) ?? .no
  }

  private static let mostInText = 20
  private static let mostInJSON = 1000

  /// Whether the swap is left out.
  private var isDry: Bool { dryRun || sample != nil }

  /// Refuses to write to what the pipeline reads, which the words alone do not show.
  func checkFiles(_ pipeline: Pipeline, _ stores: [String], _ context: Context) throws {
    var files = context.files
    files.add(stores: stores)
    files.add(pipeline)
    try files.check()
  }

  /// Refuses options that have no meaning together.
  func check() throws(UsageError) {
    if let sample, sample < 1 { throw UsageError("--sample takes a number of objects from 1 on") }
    if let limit, limit < 0 { throw UsageError("--limit takes a number of objects, not \(limit)") }
    guard isDry else {
      if keep == nil { return }
      throw UsageError("--keep is about a dry run; --output is the same of a run")
    }
    if output != nil { throw UsageError("a dry run has no --output; --keep keeps its result") }
    if until != nil { throw UsageError("a dry run goes to its end, and takes no --until") }
    if restart { throw UsageError("a dry run starts over by itself, and takes no --restart") }
  }

  /// What a pipeline would do to a store.
  func plan(_ pipeline: Pipeline, _ store: String) throws -> Plan {
    try planner(pipeline).plan(
      store: try Store(store, isBrief: sample != nil, stops: { Task.isCancelled }))
  }

  /// Makes plans of a pipeline, with what is given up.
  func planner(_ pipeline: Pipeline) throws -> Planner {
    var settings = PlanSettings(acceptedLosses: losses, force: force)
    settings.looksForURIs = false
    return try Planner(pipeline: pipeline, settings: settings)
  }

  func options(_ global: GlobalOptions) -> RunOptions {
    var options = RunOptions(
      output: output, until: until, report: report, restarts: restart, work: global.work,
      showsValues: values == .full)
    options.values = values
    options.workers = global.workers?.count
    options.listed = limit ?? (report == nil ? Self.mostInJSON : nil)
    if isDry { options.dryRun = DryRun(sample: sample, keep: keep) }
    return options
  }

  /// The same choices for resuming: to the end, and with what was done.
  var words: [CommandRecord.Word] {
    losses.map { .option("accept-loss", $0) } + (output.map { [.file("output", $0)] } ?? [])
      + (force ? [.flag("force")] : [])
      + (values == .short ? [] : [.option("values", values.rawValue)])
  }

  private func tell(_ findings: RunResult, _ context: Context) throws {
    let (console, summary) = (context.console, findings.summary)
    let (width, style) = (console.reportWidth, console.outputStyle)
    guard isDry, let report = findings.report else {
      console.result(
        context.options.json
          ? JSONRunSummary(summary).text
          : TextRunSummary(summary, width: width, style: style).text)
      return
    }
    try console.result(
      context.options.json
        ? JSONDifferenceReport(report, limit: limit ?? Self.mostInJSON).text
        : TextRunReport(
          summary, report, limit: limit ?? Self.mostInText, width: width, style: style
        ).text)
  }
}

extension ProgressEvent {
  /// The only event of a store whose run is refused before it begins, as in a run of many stores.
  fileprivate static func refusal(of store: String, _ message: String, _ status: Int32) -> Self {
    Self(.runFinished, time: Date(), run: "", store: store, message: message, status: status)
  }
}
