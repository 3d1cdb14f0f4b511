/// Results were not written, or not all of them.
struct LostResults: ReportableError, Equatable {
  let status = ExitStatus.refused
  /// Why, in the system's words.
  let reason: String
  /// Whether no process reads them any more, as with `pipeline inspect STORE | head`.
  let hasNoReader: Bool

  /// What is lost, and why.
  var problem: Problem { Problem("cannot write the results: \(reason)") }

  var problems: [Problem] { [problem] }
}
