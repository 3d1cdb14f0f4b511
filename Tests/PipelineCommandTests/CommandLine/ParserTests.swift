import Testing

@testable import pipeline

@Suite("Parser")
struct ParserTests {
  @Test(
    "an option may be written four ways",
    arguments: [["-o", "x"], ["-ox"], ["--output", "x"], ["--output=x"]])
  func option(words: [String]) throws {
    #expect(try EveryKind.parse(words + ["a", "b"]).command.output == "x")
  }

  @Test(
    "words go where they belong",
    arguments: [
      (["a", "b"], EveryKind(sources: ["a"], target: "b")),
      (["a", "b", "c"], EveryKind(sources: ["a", "b"], target: "c")),
      (["a", "-na", "b"], EveryKind(sources: ["a"], target: "b", dryRun: true, all: true)),
      (["-nb5", "a", "b"], EveryKind(sources: ["a"], target: "b", batch: 5, dryRun: true)),
      (["a", "-b", "-5", "b"], EveryKind(sources: ["a"], target: "b", batch: -5)),
      (["a", "--", "-n"], EveryKind(sources: ["a"], target: "-n")),
      (["-o", "-", "-", "b"], EveryKind(sources: ["-"], target: "b", output: "-")),
      (["--output=", "a", "b"], EveryKind(sources: ["a"], target: "b", output: "")),
      (["--output=--all", "a", "b"], EveryKind(sources: ["a"], target: "b", output: "--all")),
      (["-o=x", "a", "b"], EveryKind(sources: ["a"], target: "b", output: "=x")),
      (
        ["--set", "x=1", "--set=y=2", "a", "b"],
        EveryKind(sources: ["a"], target: "b", sets: ["x=1", "y=2"])
      ),
      (["-fhtml", "-f", "json", "a", "b"], EveryKind(sources: ["a"], target: "b", form: .json)),
    ])
  func places(words: [String], command: EveryKind) throws {
    #expect(try EveryKind.parse(words).command == command)
  }

  @Test(
    "mistakes are named",
    arguments: [
      ([], "missing SOURCE and TARGET"),
      (["a"], "missing TARGET"),
      (["", "b"], "SOURCE is empty"),
      (["--dry-rum", "a", "b"], "unknown option --dry-rum; did you mean --dry-run?"),
      (["--dry", "a", "b"], "unknown option --dry; did you mean --dry-run?"),
      (["--zzzzzz", "a", "b"], "unknown option --zzzzzz"),
      (["--\u{1B}[2J", "a", "b"], "unknown option --\\u{1B}[2J"),
      (["-nz", "a", "b"], "unknown option -z"),
      (["--batch", "ten", "a", "b"], "--batch takes a whole number, not 'ten'"),
      (["--form=xml", "a", "b"], "--form takes text, html or json, not 'xml'"),
      (["--dry-run=yes", "a", "b"], "--dry-run takes no value"),
      (["a", "b", "-o"], "--output needs a value: PATH"),
      (["--output", "-n", "a", "b"], "--output needs a value: PATH; is it --output=-n?"),
    ])
  func mistakes(words: [String], message: String) {
    #expect(throws: UsageError(message)) { try EveryKind.parse(words) }
  }

  @Test("an optional argument takes what is there, and no more") func optional() throws {
    #expect(try PairDiff.parse(["a"]).command.b == nil)
    #expect(try PairDiff.parse(["a", "b"]).command.b == "b")
    #expect(throws: UsageError("unexpected argument 'c'")) { try PairDiff.parse(["a", "b", "c"]) }
  }
}
