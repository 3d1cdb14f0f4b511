import Foundation
import TestSupport
import Testing

@testable import pipeline

/// A shell that has read the completion script of the probes, in a folder with a few files.
enum ShellSession {
  /// What is typed after the program's name, and what is offered for its last word.
  static let cases: [(line: [String], offered: [String])] = [
    ([""], ["every", "pair", "refuse", "wait"]),
    (["e"], ["every"]),
    (["--v"], ["--version"]),
    (["pair", ""], ["diff", "hash"]),
    (["pair", "diff", "--j"], ["--json"]),
    (["every", "--f"], ["--form"]),
    (["every", "--form", ""], ["html", "json", "text"]),
    (["every", "--form", "h"], ["html"]),
    (["every", "-f", "j"], ["json"]),
    (["every", "--output", "al"], ["alpha", "alpine pine"]),
    (["every", "b"], ["beta"]),
    (["refuse", "u"], ["unknown", "usage"]),
    (["--quiet", "refuse", "u"], ["unknown", "usage"]),
    (["wait", ""], []),
  ]

  /// Writes the script, and the files that may be offered.
  static func prepare(_ shell: Shell) throws {
    try write(shell.script(for: .probes))
    for name in ["alpha", "alpine pine", "beta"] {
      try Data().write(to: TemporaryFolder.url.appending(path: name))
    }
  }

  /// Writes a script under the name `script`.
  static func write(_ script: String) throws {
    try Data((script + "\n").utf8).write(to: TemporaryFolder.url.appending(path: "script"))
  }

  /// The lines that a line of shell prints, sorted.
  static func answers(_ line: String, _ shell: Shell) throws -> [String] {
    let outcome = try Tool.shell(line, with: shell.rawValue)
    #expect(outcome.errors == "")
    return outcome.output.split(separator: "\n").map(String.init).sorted()
  }
}
