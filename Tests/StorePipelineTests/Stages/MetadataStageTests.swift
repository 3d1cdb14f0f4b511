import Testing

@testable import StorePipeline

@Suite("Stage metadata")
struct MetadataStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(MetadataStage.kind.description, table)
  }

  @Test("it keeps UUID and history by default")
  func defaults() throws {
    let stage = try Self.stage("{}")
    #expect(stage["uuid"]?.text == "keep")
    #expect(stage["history"]?.text == "keep")
    #expect(stage["remove"] == .list([]))
  }

  @Test("one pattern needs no list, and keys are set to plain data")
  func values() throws {
    let stage = try Self.stage("{ remove = 'a.*', set = { b = { 1, 'x' } } }")
    #expect(stage["remove"] == .list([.text("a.*")]))
    #expect(stage["set"]?["b"] == .list([.integer(1), .text("x")]))
  }
}
