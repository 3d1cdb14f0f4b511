import Testing

@testable import StorePipeline

@Suite("Stage detect")
struct DetectStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(DetectStage.kind.description, table)
  }

  @Test("it finds the version by hashes alone, or by a script")
  func script() throws {
    #expect(try Self.stage("{}").options.isEmpty)
    #expect(try Self.stage("{ script = 'which.lua' }")["script"]?.text == "which.lua")
  }

  @Test("it stands above all that need the version")
  func place() {
    #expect(DetectStage.kind.description.consumes.isEmpty)
    #expect(DetectStage.kind.description.produces == [.version])
    #expect(DetectStage.kind.description.touches.isEmpty)
  }
}
