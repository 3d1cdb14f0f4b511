import Testing

@testable import pipeline

@Suite("Program")
struct ProgramTests {
  @Test("commands are listed in order, those of a group behind its word") func commands() {
    let program = Program.probes
    let paths = [["every"], ["wait"], ["refuse"], ["pair", "diff"], ["pair", "hash"]]
    #expect(program.commands.map(\.path) == paths)
    #expect(program.groups.map(\.name) == ["pair"])
    #expect(program.sections.flatMap(\.entries).map(\.name) == ["every", "wait", "refuse", "pair"])
    #expect(program.sections[1].entries[0].summary == "Compare two things.")
  }

  @Test("a description parts what is known by its place, by its name, and shared") func parts() {
    let diff = PairDiff.describe(["pair", "diff"])
    #expect(diff.positionals.map(\.name) == ["a", "b"] && diff.options.isEmpty)
    #expect(diff.shared.map(\.name) == ["json", "quiet", "color", "help"])
    #expect(EveryKind.describe(["every"]).options.map(\.name).first == "output")
  }
}
