internal import CoreDataStore
internal import Foundation

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
    guard !FileManager.default.fileExists(atPath: path) else {
      throw RunFailure(
        .misuse, what: "cannot write the report", subject: path,
        why: "Something is there already.", remedy: "Name another path, or move it away.")
    }
    let summary = try context.work.summary()
    let format = stage["format"]?.text ?? URL(filePath: path).pathExtension
    do {
      try Data(text(summary, format).utf8)
        .write(to: URL(filePath: path), options: .withoutOverwriting)
    } catch {
      throw StoreError(
        .refused, what: "cannot write the report", subject: path,
        why: error.localizedDescription,
        remedy: "Check that its folder exists, that you may write there, and the space left.")
    }
  }

  private static func text(_ summary: RunSummary, _ format: String) -> String {
    switch format {
    case "json": JSONRunSummary(summary).text + "\n"
    case "html": HTMLRunSummary(summary).text
    default: "```\n\(TextRunSummary(summary, width: 100).text)\n```\n"
    }
  }
}
