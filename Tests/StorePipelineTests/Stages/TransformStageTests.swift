import Testing

@testable import StorePipeline

@Suite("Stage transform")
struct TransformStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(TransformStage.kind.description, table)
  }

  @Test("it stops at the first error and sets no limit by default")
  func defaults() throws {
    let stage = try Self.stage("{ entity = 'A', script = 'a.lua' }")
    #expect(stage["on_error"]?.text == "stop")
    #expect(stage["rejects"] == nil)
    #expect(stage["params"] == .table([:]))
  }

  @Test("params are data of the author's own")
  func params() throws {
    let stage = try Self.stage(
      "{ entity = 'A', script = 'a.lua', params = { sizes = { 1, 2 }, deep = { x = 'y' } } }")
    #expect(stage["params"]?["sizes"] == .list([.integer(1), .integer(2)]))
    #expect(stage["params"]?["deep"]?["x"]?.text == "y")
  }
}
