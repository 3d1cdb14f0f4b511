internal import OperatingSystem
import StorePipeline

extension Console {
  /// Answers with a text, and is done.
  func answer(_ text: String) throws -> ExitStatus {
    result(text)
    try finish()
    return .done
  }

  /// Answers with the help about a topic.
  func explain(_ topic: Topic) throws -> ExitStatus {
    try answer(Help.page(topic, outputStyle, outputWidth))
  }

  /// Lists what may follow the words typed so far, because something must.
  func list(_ topic: Topic) -> ExitStatus {
    complain(Help.page(topic, errorStyle, errorWidth))
    return .misuse
  }

  /// Sends on what is waiting for stdout; a script must not take half an answer for a whole one.
  func finish() throws(LostResults) {
    output.flush()
    guard let error = output.failure else { return }
    let refusal = error as? SystemError
    throw LostResults(
      reason: refusal?.words ?? "\(error)", hasNoReader: refusal?.isWithoutReader == true)
  }

  /// Says what went wrong, and gives back the status that goes with it.
  func end(with error: any Error, _ cancellation: Cancellation) -> ExitStatus {
    switch error {
    case let misuse as Misuse:
      complain(misuse.text)
      return .misuse
    case let lost as LostResults where lost.hasNoReader: return .unread
    case is CancellationError: return end(with: Interruption(), cancellation)
    case let interruption as Interruption:
      report([Problem("interrupted", hint: interruption.hint)])
      return cancellation.status ?? .interrupted
    default:
      report(Self.problems(of: error))
      return Self.reportable(error)?.status ?? .refused
    }
  }

  /// What is reported of an error that came of the work itself.
  static func problems(of error: any Error) -> [Problem] {
    reportable(error)?.problems ?? [Problem("the work could not be done: \(error)")]
  }

  private static func reportable(_ error: any Error) -> (any ReportableError)? {
    (error as? PipelineFileError).map { FileMistakes($0.problems) } ?? error as? any ReportableError
  }
}

/// Results were not written, or not all of them.
struct LostResults: ReportableError, Equatable {
  let status = ExitStatus.refused
  /// Why, in the system's words.
  let reason: String
  /// Whether no process reads them any more, as with `pipeline inspect STORE | head`.
  let hasNoReader: Bool

  var problem: Problem { Problem("cannot write the results: \(reason)") }

  var problems: [Problem] { [problem] }
}
