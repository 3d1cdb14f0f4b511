import TestSupport
import Testing

@testable import pipeline

@Suite("Completions for fish", .temporaryFolder)
struct FishCompletionsTests {
  @Test(
    "fish offers what fits",
    .enabled(if: Tool.isThere("fish"), "fish is not installed"), arguments: ShellSession.cases)
  func offers(line: [String], offered: [String]) throws {
    try ShellSession.prepare(.fish)
    let words = (["probe"] + line).joined(separator: " ")
    let found = try ShellSession.answers(
      "source ./script; complete -C '\(words)' | string split -f1 \\t", .fish)
    #expect(Set(found.map { $0.replacing("\\ ", with: " ") }).isSuperset(of: offered))
    #expect(found.count < offered.count + 3)
  }
}
