import Testing

@testable import pipeline

@Suite("Common options")
struct GlobalOptionsTests {
  @Test("a command has the common options it honours, and no others") func common() throws {
    let words = ["--json", "-q", "--color=never", "--events", "e", "--work=w", "a", "b"]
    let expected = GlobalOptions(json: true, events: "e", work: "w", quiet: true, color: .never)
    #expect(try EveryKind.parse(words).options == expected)
    #expect(throws: UsageError("unknown option --work")) { try PairDiff.parse(["--work=w", "a"]) }
    #expect(throws: UsageError("unknown option --json")) { try Idle.parse(["--json"]) }
  }

  @Test(
    "every table ends with what every command has",
    arguments: [
      (SharedOptions(), []), (.json, ["json"]), ([.events, .work], ["events", "work"]),
      (.all, ["json", "events", "work", "longest-value"]), (.workers, ["workers"]),
    ] as [(SharedOptions, [String])])
  func table(shared: SharedOptions, names: [String]) {
    let found = GlobalOptions.arguments(shared).map(\.form.name)
    #expect(found == names + ["quiet", "color", "help"])
  }
}
