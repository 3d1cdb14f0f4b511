import Testing

@testable import StorePipeline

@Suite("Stage backup")
struct BackupStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(BackupStage.kind.description, table)
  }

  @Test("it needs a place, which need not be there")
  func place() throws {
    #expect(try Self.stage("{ to = 'backups/a' }")["to"]?.text == "backups/a")
    let error = #expect(throws: PipelineFileError.self) { try Self.stage("{}") }
    #expect(error?.problems.map(\.message) == ["stage 'backup' needs the option 'to'"])
  }
}
