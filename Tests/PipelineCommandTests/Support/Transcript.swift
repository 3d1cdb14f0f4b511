import Foundation
import StoreTestSupport

/// Commands and what they print, read from Markdown.
///
/// In a block that begins with three backquotes and `console`, a line `$ COMMAND` is run by sh.
/// The lines below it are what it must print: plain lines on stdout, lines after `2> ` on stderr,
/// and `=> N` last if the status is not 0. `<ANY>` in a line stands for any text of a run's own.
/// All commands of a file run in one folder, which is empty at first; a command that is `cd FOLDER`
/// alone moves those below it, as it does at a terminal. A file with the words
/// `<!-- with the Notes sample -->` finds the models and the store of ``NotesSample`` in it, one
/// with `<!-- with a mirrored store -->`, `<!-- with stores of SwiftData -->` or
/// `<!-- with a deferred migration -->` those of ``AppStores``.
struct Transcript {
  /// One command and what it must print.
  struct Step: Equatable {
    var command: String
    var expected: [String] = []

    /// Where the commands below it run, if it goes somewhere.
    var folder: String? {
      let words = command.split(separator: " ")
      return words.count == 2 && words[0] == "cd" ? String(words[1]) : nil
    }
  }

  /// The commands, in order.
  let steps: [Step]
  /// What is laid into the folder before the first command.
  let samples: [(URL) throws -> Void]

  /// Reads a transcript.
  init(_ markdown: String) {
    var steps: [Step] = []
    var isInside = false
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2))))
      } else if isInside, !steps.isEmpty {
        steps[steps.count - 1].expected.append(String(line))
      }
    }
    self.steps = steps
    samples = Self.samples.filter { markdown.contains("<!-- with \($0.key) -->") }.map(\.value)
  }

  private static let samples: [String: @Sendable (URL) throws -> Void] = [
    "the Notes sample": { try NotesSample.lay(in: $0) },
    "a deferred migration": { try AppStores.layDeferred(in: $0) },
    "a mirrored store": { try AppStores.layMirrored(in: $0) },
    "stores of SwiftData": { try AppStores.laySwiftData(in: $0) },
  ]

  /// Runs every command and tells those that did not print what is written, and what they printed.
  func failures(in home: URL) throws -> [String] {
    for lay in samples { try lay(home) }
    var folder = home
    return try steps.compactMap { step in
      let outcome = try Tool.shell(step.command, in: folder, setting: ["HOME": home.path])
      if outcome.status == 0, let next = step.folder { folder.append(path: next) }
      let actual = Self.lines(outcome)
      guard !Self.matches(actual, step.expected) else { return nil }
      return (["$ \(step.command)"] + actual).joined(separator: "\n")
    }
  }

  private static func lines(_ outcome: Tool.Outcome) -> [String] {
    let errors = split(outcome.errors).map { "2> \($0)" }
    return errors + split(outcome.output) + (outcome.status == 0 ? [] : ["=> \(outcome.status)"])
  }

  private static func split(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The two streams are compared one by one, because their order is not recorded.
  private static func matches(_ actual: [String], _ expected: [String]) -> Bool {
    var expected = expected.filter { $0.hasPrefix("2>") } + expected.filter { !$0.hasPrefix("2>") }
    var actual = actual
    if expected.last == "..." {
      expected.removeLast()
      actual = Array(actual.prefix(expected.count))
    }
    return actual.count == expected.count && zip(actual, expected).allSatisfy(matches)
  }

  private static func matches(_ actual: String, _ expected: String) -> Bool {
    let pieces = expected.components(separatedBy: "<ANY>")
    guard pieces.count > 1 else { return actual == (expected == "2>" ? "2> " : expected) }
    guard actual.hasPrefix(pieces[0]) else { return false }
    var rest = actual.dropFirst(pieces[0].count)
    for piece in pieces.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(pieces[pieces.count - 1])
  }
}
