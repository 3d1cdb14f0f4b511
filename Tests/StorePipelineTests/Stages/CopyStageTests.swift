import Testing

@testable import StorePipeline

@Suite("Stage copy")
struct CopyStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(CopyStage.kind.description, table)
  }

  @Test("rules are kept in their order, with defaults of their own")
  func rules() throws {
    let stage = try Self.stage("{ rename { entity = 'A' }, drop { 'B' }, rename { entity = 'C' } }")
    #expect(stage.rules.map(\.name) == ["rename", "drop", "rename"])
    #expect(stage.rules[0]["attributes"] == .table([:]))
    #expect(stage.rules[2]["entity"]?.text == "C")
  }

  @Test("several old entities can become one")
  func merge() throws {
    let stage = try Self.stage("{ map { entity = 'Place', from = { 'City', 'Town' } } }")
    #expect(stage.rules[0]["from"] == .list([.text("City"), .text("Town")]))
  }

  @Test("losses are accepted by name, by entity, or altogether")
  func losses() throws {
    #expect(try Self.stage("{ accept_loss = '*' }")["accept_loss"] == .list([.text("*")]))
    let several = try Self.stage("{ accept_loss = { 'A.b', 'C.*' } }")
    #expect(several["accept_loss"] == .list([.text("A.b"), .text("C.*")]))
    #expect(throws: PipelineFileError.self) { try Self.stage("{ accept_loss = 'A' }") }
  }
}

@Suite("Rules of the stage copy")
struct CopyRulesTests {
  private static let rules = CopyStage.kind.description.rules

  @Test("each is a word of its own, described in a sentence, and so are its options")
  func described() {
    let names = Self.rules.map(\.name)
    #expect(names == ["rename", "map", "drop", "where", "one", "undecided"])
    for rule in Self.rules {
      #expect(rule.summary.hasSuffix("."))
      #expect(Set(rule.options.map(\.name)).count == rule.options.count)
      #expect(rule.options.allSatisfy { $0.help.hasSuffix(".") })
    }
  }

  @Test("at most one option of a rule has no name to be written", arguments: rules)
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
      try StageText.read(CopyStage.kind.description, "{ \(rule) }")
    }
    #expect(error?.description.contains(option) == true)
  }
}
