import Testing

@testable import StorePipeline

@Suite("Stage connect")
struct ConnectStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(ConnectStage.kind.description, table)
  }

  @Test("it takes no options and may stand in a step")
  func plain() throws {
    #expect(try Self.stage("{}").options.isEmpty)
    #expect(ConnectStage.kind.description.place == .inStep)
    #expect(throws: PipelineFileError.self) { try Self.stage("{ now = true }") }
  }
}
