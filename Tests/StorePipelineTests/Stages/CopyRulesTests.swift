import Testing

@testable import StorePipeline

@Suite("Rules of the stage copy")
struct CopyRulesTests {
  @Test("each is a word of its own, told in a sentence, and so are its options")
  func described() {
    let names = CopyRules.all.map(\.name)
    #expect(names == ["rename", "map", "drop", "where", "one"])
    for rule in CopyRules.all {
      #expect(rule.summary.hasSuffix("."))
      #expect(Set(rule.options.map(\.name)).count == rule.options.count)
      #expect(rule.options.allSatisfy { $0.help.hasSuffix(".") })
    }
  }

  @Test("at most one option of a rule has no name to be written", arguments: CopyRules.all)
  func unnamed(rule: RuleDescription) {
    #expect(rule.options.count(where: \.isUnnamed) <= 1)
  }

  @Test(
    "what must be written is missed when it is not",
    arguments: [
      ("rename { to = 'A' }", "entity"), ("map { attributes = {} }", "entity"),
      ("drop {}", "names"),
      ("where { entity = 'A' }", "condition"), ("one { 'A.b' }", "keep"),
    ])
  func required(rule: String, option: String) throws {
    let error = #expect(throws: PipelineFileError.self) {
      try StageText.read(CopyStage.description, "{ \(rule) }")
    }
    #expect(error?.description.contains(option) == true)
  }
}
