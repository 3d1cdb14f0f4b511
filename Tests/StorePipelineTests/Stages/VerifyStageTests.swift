import Testing

@testable import StorePipeline

@Suite("Stage verify")
struct VerifyStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(VerifyStage.kind.description, table)
  }

  @Test("it compares all rows, or a number of each entity")
  func rows() throws {
    #expect(try Self.stage("{}")["rows"]?.text == "all")
    #expect(try Self.stage("{ rows = 100 }")["rows"]?.integer == 100)
    let error = #expect(throws: PipelineFileError.self) { try Self.stage("{ rows = 'some' }") }
    #expect(error?.problems.map(\.message) == [#"option 'rows' must be "all", not "some""#])
  }
}
