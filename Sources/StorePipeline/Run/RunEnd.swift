/// What a stage throws when there is nothing left to do for those below it.
struct RunEnd: Error {
  /// How the run ends.
  let outcome: RunSummary.Outcome
}
