import Testing

@testable import StorePipeline

@Suite("Stage open")
struct OpenStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(OpenStage.kind.description, table)
  }

  @Test("it waits ten seconds and checks the space by default")
  func defaults() throws {
    let stage = try Self.stage("{}")
    #expect(stage["wait"]?.duration == .seconds(10))
    #expect(stage["space"]?.text == "check")
    #expect(try Self.stage("{ wait = '0 s' }")["wait"]?.duration == .zero)
  }
}
