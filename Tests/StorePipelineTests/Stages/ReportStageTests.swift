import Testing

@testable import StorePipeline

@Suite("Stage report")
struct ReportStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(ReportStage.kind.description, table)
  }

  @Test("it needs a place")
  func options() throws {
    let stage = try Self.stage("{ to = 'r.html' }")
    #expect(stage["format"] == nil)
    #expect(throws: PipelineFileError.self) { try Self.stage("{}") }
  }

  @Test("it may stand below the swap")
  func place() {
    #expect(ReportStage.kind.description.place == .anywhere)
  }
}
