/// What a run did, and what is different by it.
package struct RunResult: Sendable {
  /// What it did.
  package let summary: RunSummary
  /// What is different, as every form of report shows it; nil where the caller did not ask.
  package let report: DifferenceReport?
}
