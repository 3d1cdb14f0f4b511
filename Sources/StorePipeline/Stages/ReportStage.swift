internal import CoreDataStore

/// `stage "report"`: what the run has changed, as a file.
public enum ReportStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "report",
    summary: "Writes what the run changes to a file.",
    details: """
      The same as `--report` writes: every difference between the store as it was and as the run \
      made it, object by object, the change of the model, what was lost, what was rejected, \
      warnings and figures. Above the stages that make the new store there is nothing to compare \
      yet, and it has the figures alone. A dry run leaves this stage out. Nothing but a report of \
      the same run is written over.
      """,
    options: [
      OptionDescription("to", .path(.new), isRequired: true, help: "The file to write."),
      OptionDescription(
        "format", .choice(["html", "md", "json"]),
        help: "The form of the report; without it, what the file's name ends in."),
    ],
    consumes: [.objects], touches: [.files], place: .anywhere, mayRepeat: true,
    example: #"stage "report" { to = "reports/upgrade.html" }"#)
}

extension ReportStage {
  /// Writes the summary of the run as far as it is.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    let path = context.plan.pipeline.resolve(stage["to"]?.text ?? "report.json")
    let named = stage["format"]?.text.flatMap(DifferenceForm.init(rawValue:))
    let form = named ?? DifferenceForm(path: path) ?? .markdown
    let work = context.work
    try work.examine()
    guard let report = work.report(of: try work.summary()) else { return }
    try RunReportFile(path, form).write(report, of: context.run)
  }
}
