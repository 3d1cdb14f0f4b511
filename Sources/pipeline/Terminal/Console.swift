import Foundation
import StorePipeline

/// Where a command writes: results to stdout, everything else to stderr.
struct Console: Sendable {
  /// For results.
  let output: TextStream
  /// For talk, progress and errors.
  let errors: TextStream
  /// The environment's variables.
  let environment: [String: String]
  var color = ColorMode.auto
  /// Whether notes and progress are left out.
  var isQuiet = false

  init(output: TextStream, errors: TextStream, environment: [String: String]) {
    self.output = output
    self.errors = errors
    self.environment = environment
  }

  /// The program's own streams.
  static func standard() -> Console {
    Console(
      output: TextStream(descriptor: STDOUT_FILENO, capacity: 1 << 16),
      errors: TextStream(descriptor: STDERR_FILENO, capacity: 0),
      environment: ProcessInfo.processInfo.environment)
  }

  var outputStyle: Style { style(of: output) }

  /// The style of notes and errors.
  var errorStyle: Style { style(of: errors) }

  /// The columns results may take.
  var outputWidth: Int { output.width(environment) }

  /// The columns notes may take.
  var errorWidth: Int { errors.width(environment) }

  /// The columns at which notes and errors are broken: a terminal's; what a program reads is not.
  var errorBreak: Int { errors.isTerminal ? max(40, min(errorWidth, 100)) : .max }

  /// Writes a result: one line or several, without the last line end.
  func result(_ text: String) { output.write("\(text)\n") }

  /// Says something by the way, unless quiet was asked for.
  func note(_ text: String) {
    if !isQuiet { complain(text.printable.hanging(to: errorBreak)) }
  }

  /// Says what a person should know although the work continues, on one line where no terminal
  /// breaks it; quiet does not silence it.
  func warn(_ text: String) {
    let text = text.oneLine.hanging(to: errorBreak, after: "pipeline: warning: ".count)
    complain("pipeline: \(errorStyle.yellow("warning:")) \(text)")
  }

  /// Says what went wrong, a paragraph a problem.
  func report(_ problems: [Problem]) {
    complain(problems.map { $0.paragraph(errorStyle, width: errorBreak) }.joined(separator: "\n\n"))
  }

  /// Asks for a line of text: what is typed stands behind it.
  func prompt(_ text: String) {
    output.flush()
    errors.write(text)
  }

  /// Writes to stderr as it is, with what is waiting for stdout before it.
  func complain(_ text: String) {
    output.flush()
    errors.write("\(text)\n")
  }

  private func style(of stream: TextStream) -> Style {
    Style(color, isTerminal: stream.isTerminal, environment: environment)
  }
}
