import StorePipeline
import Testing

@Suite("Stage copy")
struct CopyStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(CopyStage.description, table)
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
