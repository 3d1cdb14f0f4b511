/// What a run did, and what is different by it.
package struct RunResult: Sendable {
  /// What it did.
  package let summary: RunSummary
  /// What is different, as every form of report tells it; nil where nobody asked.
  package let report: DifferenceReport?
}
