@testable import StorePipeline

/// Summaries that a test thinks up.
enum RunSummarySample {
  /// A summary with everything there can be in one.
  static func everything(_ outcome: RunSummary.Outcome = .swapped) -> RunSummary {
    var summary = RunSummary(
      run: "20260101T000000Z-0001", store: "Notes.sqlite", source: "Notes", target: "Notes 2",
      outcome: outcome,
      digests: PlanDigests(pipeline: "p", scripts: [("a.lua", "s")], models: "m"))
    summary.entities = [
      RunSummary.Entity(
        name: "Folder", target: "Folder", how: "copied", objectsBefore: 3, objectsAfter: 3),
      RunSummary.Entity(
        name: "Note", target: "Memo", how: "scripted", objectsBefore: 1_200, objectsAfter: 1_197,
        rejected: 3),
    ]
    summary.warnings = ["a warning"]
    summary.failures = [
      RunSummary.BrokenRule(
        entity: "Memo", key: 7, property: "title", rule: "has no value", isInSource: true)
    ]
    summary.failureCount = 12
    summary.bytes = 4_096
    summary.seconds = 2
    summary.peakMemory = 33 << 20
    summary.backup = "Notes.sqlite.pipeline/backups/1"
    return summary
  }
}
