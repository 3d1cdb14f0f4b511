/// `stage "report"`: what the run has changed, as a file.
public enum ReportStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "report",
    summary: "Writes what the run has changed to a file.",
    details: """
      The same report that `--report` writes: per entity what was kept, changed, added, removed \
      and rejected, what was lost, and the differences row by row.
      """,
    options: [
      OptionDescription("to", .path(.new), isRequired: true, help: "The file to write."),
      OptionDescription(
        "format", .choice(["html", "md", "json"]),
        help: "The form of the report; without it, what the file's name ends in."),
      OptionDescription(
        "values", .choice(["full", "short", "hash", "none"]), default: .text("short"),
        help: "How much of the objects' values is shown."),
    ],
    consumes: [.objects], touches: [.files], place: .anywhere, mayRepeat: true,
    example: #"stage "report" { to = "reports/upgrade.html", values = "short" }"#)
}

extension ReportStage {
  /// Writes the summary of the run as far as it is.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    let path = context.plan.pipeline.resolve(stage["to"]?.text ?? "report.json")
    let named = stage["format"]?.text.flatMap { RunReportFile.Format(rawValue: $0) }
    let format = named ?? RunReportFile.Format(ending: path) ?? .md
    try RunReportFile(path, format).write(context.work.summary())
  }
}
