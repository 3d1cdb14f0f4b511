internal import CoreDataStore

/// `stage "report"`: what the run has changed, as a file.
package struct ReportStage: Stage {
  private var path = ""
  private var format: DifferenceForm?

  /// The stage with all its defaults.
  package init() {}

  /// What it is called, what it does, where it may stand.
  package static let description = StageDescription(
    name: "report",
    summary: "Writes what the run changes to a file.",
    details: """
      Writes what `--report` writes: every difference between the store as it was and as the run \
      made it, object by object; the change of the model; what was lost; what was rejected; \
      warnings and figures. Above the stages that make the new store there is nothing to compare \
      yet, so the report has only the figures. A dry run leaves this stage out. The only file \
      that it replaces is a report of the same run.
      """,
    consumes: [.objects], touches: [.files], place: .anywhere, mayRepeat: true,
    example: #"stage "report" { to = "reports/upgrade.html" }"#)

  package static let options: [StageOption<Self>] = [
    .required("to", \.path, .path(.new), help: "The file to write."),
    .option(
      "format", \.format,
      help: "The form of the report; without it, what the file's name ends in."),
  ]
}

extension ReportStage {
  /// Declares the file, and that the stores have to be compared for it.
  package func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {
    declarations.reports = true
    declarations.write(path, in: written)
  }

  /// Writes the summary of the run as far as it is.
  package func run(_ context: RunContext) async throws {
    let path = context.plan.pipeline.resolve(path)
    let form = format ?? DifferenceForm(path: path) ?? .markdown
    let session = context.session
    try session.compare()
    guard let report = session.report(of: try session.summary()) else { return }
    try RunReportFile(path, form).write(report, of: [context.run])
  }
}
