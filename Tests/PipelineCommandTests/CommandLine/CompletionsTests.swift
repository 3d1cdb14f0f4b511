import Foundation
import TestSupport
import Testing

@testable import pipeline

@Suite("Completions", .temporaryFolder)
struct CompletionsTests {
  @Test(
    "the shell accepts the script",
    arguments: Shell.allCases.filter { Tool.isThere($0.rawValue) }, [Program.pipeline, .probes])
  func syntax(shell: Shell, program: Program) throws {
    try write(shell.script(for: program))
    let outcome = try Tool.shell("\(shell.rawValue) -n script")
    #expect(outcome == Tool.Outcome(output: "", errors: "", status: 0))
  }

  @Test("a shell that is not installed is skipped aloud", arguments: Shell.allCases)
  func installed(shell: Shell) throws {
    guard !Tool.isThere(shell.rawValue) else { return }
    try Test.cancel("\(shell.rawValue) is not installed")
  }

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

  @Test(
    "bash offers what fits",
    .enabled(if: Tool.isThere("bash"), "bash is not installed"),
    arguments: cases + [
      (["every", "--form", "="], ["html", "json", "text"]),
      (["every", "--form", "=", "h"], ["html"]),
    ])
  func bash(line: [String], offered: [String]) throws {
    try prepare(.bash)
    let words = (["probe"] + line).map(\.shellQuoted).joined(separator: " ")
    let probe = """
      source ./script; COMP_WORDS=(\(words)); COMP_CWORD=\(line.count); _probe
      ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
      """
    #expect(try answers(probe, "bash") == offered)
  }

  @Test(
    "fish offers what fits",
    .enabled(if: Tool.isThere("fish"), "fish is not installed"), arguments: cases)
  func fish(line: [String], offered: [String]) throws {
    try prepare(.fish)
    let words = (["probe"] + line).joined(separator: " ")
    let found = try answers(
      "source ./script; complete -C '\(words)' | string split -f1 \\t", "fish")
    #expect(Set(found.map { $0.replacing("\\ ", with: " ") }).isSuperset(of: offered))
    #expect(found.count < offered.count + 3)
  }

  private func prepare(_ shell: Shell) throws {
    try write(shell.script(for: .probes))
    for name in ["alpha", "alpine pine", "beta"] {
      try Data().write(to: TemporaryFolder.url.appending(path: name))
    }
  }

  private func write(_ script: String) throws {
    try Data((script + "\n").utf8).write(to: TemporaryFolder.url.appending(path: "script"))
  }

  private func answers(_ line: String, _ shell: String) throws -> [String] {
    let outcome = try Tool.shell(line, with: shell)
    #expect(outcome.errors == "")
    return outcome.output.split(separator: "\n").map(String.init).sorted()
  }
}
