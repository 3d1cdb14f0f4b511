import Formats
import Foundation

/// The table and the JSON of what was found.
enum Report {
  private static let width = 52

  /// The table's head.
  static func begin() { print(line("mode", "points", "failures")) }

  /// One line of the table, with the first failures below it.
  static func tell(_ mode: String, _ score: Score) {
    print(line(mode, "\(score.points)", "\(score.failures.count)"))
    for failure in score.failures.prefix(shown) { print("  \(failure)") }
    if score.failures.count > shown { print("  and \(score.failures.count - shown) more") }
  }

  private static var shown: Int {
    ProcessInfo.processInfo.environment["TORTURE_SHOW"].flatMap(Int.init) ?? 10
  }

  private static func line(_ mode: String, _ points: String, _ failures: String) -> String {
    let cells = [mode.padding(toLength: max(width, mode.count), withPad: " ", startingAt: 0)]
    return (cells + [points, failures].map { right($0) }).joined(separator: " ")
  }

  private static func right(_ text: String) -> String {
    String(repeating: " ", count: max(0, 9 - text.count)) + text
  }

  /// Writes the figures as JSON.
  static func write(_ scores: [(mode: String, score: Score)], to file: URL) throws {
    let entries = scores.map { mode, score in
      JSONValue.object([
        .init("mode", .string(mode)), .init("points", .integer(Int64(score.points))),
        .init("failures", .integer(Int64(score.failures.count))),
      ])
    }
    try Data((JSONValue.array(entries).text(.pretty) + "\n").utf8).write(to: file)
  }
}
