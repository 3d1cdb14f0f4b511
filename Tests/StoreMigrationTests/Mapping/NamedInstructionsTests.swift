import Testing

@testable import StoreMigration

@Suite("Names and patterns of a pipeline file")
struct NamedInstructionsTests {
  private let all = NamedInstructions(
    ["B.x", "A.*", "A.x", "*.y", "A.y"].enumerated().map { NamedInstruction($1, line: $0 + 1) })

  @Test(
    "the first that one of some names fits is found, whether it is a name or a pattern",
    arguments: [
      (["A.x"], 2), (["A.x", "B.x"], 1), (["B.y"], 4), (["C.x", "A"], nil), ([], nil),
    ] as [([String], Int?)])
  func first(names: [String], line: Int?) {
    #expect(all.first(matching: names)?.line == line)
  }

  @Test(
    "a composite stands for its parts where it is named, and not where a pattern fits it",
    arguments: [
      (["B.x"], true), (["C.z", "B.x.part"], true), (["B.xy"], false), (["C.y"], true),
      (["C.y.part"], false), (["A.part"], true), (["B"], false), ([], false),
    ] as [([String], Bool)])
  func cover(names: [String], isCovered: Bool) {
    #expect(all.cover(names) == isCovered)
  }
}
