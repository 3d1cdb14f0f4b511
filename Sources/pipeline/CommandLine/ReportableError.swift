import StorePipeline

/// An error that can explain itself to a person and knows the status it ends the program with.
protocol ReportableError: Error {
  /// How the program ends.
  var status: ExitStatus { get }
  /// What went wrong, one entry a problem.
  var problems: [Problem] { get }
}

/// One thing that went wrong, printed as one paragraph.
struct Problem: Sendable, Equatable {
  /// Where a file is wrong, as `FILE:LINE`; nothing when no file is to blame.
  var place: String?
  /// What could not be done, to what, and why.
  var message: String
  /// What to do now.
  var hint: String?

  /// A problem, with a place in a file and a hint if there are any.
  init(_ message: String, at place: String? = nil, hint: String? = nil) {
    self.place = place
    self.message = message
    self.hint = hint
  }

  func paragraph(_ style: Style, width: Int = .max) -> String {
    let start = "\((place ?? "pipeline").oneLine):"
    let text = message.printable.hanging(to: width, after: start.count + 1)
    let hint = hint.map { "\n\($0.printable.hanging(to: width))" }
    return "\(style.red(start)) \(text)\(hint ?? "")"
  }
}

/// A single problem, for a command that has nothing more to say.
struct CommandFailure: ReportableError, Equatable {
  let status: ExitStatus
  let problem: Problem

  /// What went wrong, in which line of a file if one is to blame, and the status that says so.
  init(
    _ status: ExitStatus, _ message: String, at place: String? = nil, hint: String? = nil
  ) {
    self.status = status
    problem = Problem(message, at: place, hint: hint)
  }

  var problems: [Problem] { [problem] }
}
