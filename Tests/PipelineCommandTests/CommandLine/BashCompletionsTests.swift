import TestSupport
import Testing

@testable import pipeline

@Suite("Completions for bash", .temporaryFolder)
struct BashCompletionsTests {
  @Test(
    "bash offers what fits",
    .enabled(if: Tool.isThere("bash"), "bash is not installed"),
    arguments: ShellSession.cases + [
      (["every", "--form", "="], ["html", "json", "text"]),
      (["every", "--form", "=", "h"], ["html"]),
    ])
  func offers(line: [String], offered: [String]) throws {
    try ShellSession.prepare(.bash)
    let words = (["probe"] + line).map(\.shellQuoted).joined(separator: " ")
    let probe = """
      source ./script; COMP_WORDS=(\(words)); COMP_CWORD=\(line.count); _probe
      ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
      """
    #expect(try ShellSession.answers(probe, .bash) == offered)
  }
}
