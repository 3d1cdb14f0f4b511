internal import StoreMigration

/// What is thrown when nothing is left to do for the rest of a run.
struct RunEnd: Error {
  /// How the run ends.
  let outcome: RunSummary.Outcome
  /// The plan of a store that another process has taken to the target.
  var plan: Plan?
  /// The objects that would break rules, where they were found before anything was written.
  var preflight: PreflightResult?
}
