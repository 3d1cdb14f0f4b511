import CoreDataStore
import StorePipeline

/// The options that `run` and `upgrade` have in common, and what both do with them.
struct RunChoices: Sendable {
  var losses: [String] = []
  var output: String?
  var until: String?
  var report: String?
  var force = false
  var restart = false
  var values = false

  static let arguments: [Argument<Self>] = [
    .repeated(
      "accept-loss", value: "NAME", \.losses,
      "Data that may go: Entity.property, Entity.* or *."),
    .option(
      "output", short: "o", value: "PATH", \.output,
      "Write the new store to PATH and leave the old one alone.", takes: .file),
    .option(
      "until", value: "STAGE", \.until, "Stop after this stage; the same command goes on later."),
    .option(
      "report", value: "PATH", \.report,
      "Write what was done to a file: html, md or json, as its name ends.", takes: .file),
    .flag("force", \.force, "Run although the store is of the target version already."),
    .flag("restart", \.restart, "Give up what an interrupted run has done, and begin anew."),
    .flag("values", \.values, "Show the values that fail, which may be private."),
  ]

  /// Plans a pipeline for a store, carries it out and tells what was done.
  func run(
    _ pipeline: Pipeline, _ store: String, command: [String], _ context: Context
  ) async throws -> ExitStatus {
    let plan = try plan(pipeline, store)
    guard plan.problems.isEmpty else { throw FileMistakes(plan.problems) }
    var options = RunOptions(
      output: output, until: until, report: report, restarts: restart, work: context.options.work,
      showsValues: values)
    options.command = command
    let run = Run(plan, store: store, options: options)
    let summary = try await run.execute { context.progress.report($0) }
    context.progress.end()
    tell(summary, context)
    return ExitStatus(rawValue: summary.status) ?? .no
  }

  /// What a pipeline would do to a store.
  func plan(_ pipeline: Pipeline, _ store: String) throws -> Plan {
    let settings = PlanSettings(acceptedLosses: losses, force: force)
    return try Planner(pipeline: pipeline, settings: settings).plan(store: try Store(store))
  }

  /// The same choices for going on: to the end, and with what was done.
  var words: [CommandRecord.Word] {
    losses.map { .option("accept-loss", $0) } + (output.map { [.file("output", $0)] } ?? [])
      + (force ? [.flag("force")] : []) + (values ? [.flag("values")] : [])
  }

  private func tell(_ summary: RunSummary, _ context: Context) {
    let console = context.console
    console.result(
      context.options.json
        ? JSONRunSummary(summary).text
        : TextRunSummary(summary, width: console.reportWidth, style: console.outputStyle).text)
  }
}
