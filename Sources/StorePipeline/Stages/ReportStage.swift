/// `stage "report"`: what the run has changed, as a file.
public enum ReportStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "report",
    summary: "Writes the summary of the run to a file.",
    details: """
      The summary of the run as far as it is, as `--report` writes it: per entity how it travels, \
      its objects before and after, those set aside; warnings and figures. `pipeline diff` tells \
      two stores apart object by object. Nothing but a report of the same run is written over.
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
    let named = stage["format"]?.text.flatMap { RunReportFile.Format(rawValue: $0) }
    let format = named ?? RunReportFile.Format(ending: path) ?? .md
    try RunReportFile(path, format).write(context.work.summary())
  }
}
