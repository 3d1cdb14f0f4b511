import Testing

@testable import StorePipeline

@Suite("Stage validate")
struct ValidateStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(ValidateStage.kind.description, table)
  }

  @Test("an expectation is compared with the source or with a number, not both")
  func alternatives() throws {
    let both = "{ expect = { { 'x', destination = 'count(A)', source = 'count(B)', equals = 1 } } }"
    let none = "{ expect = { { 'x', destination = 'count(A)' } } }"
    for text in [both, none] {
      let error = #expect(throws: PipelineFileError.self) { try Self.stage(text) }
      #expect(
        error?.problems.map(\.message) == ["option 'expect[1]' needs either 'source' or 'equals'"])
    }
    let one = try Self.stage("{ expect = { { 'x', destination = 'count(A)', equals = 1 } } }")
    #expect(one["expect"]?.list?.first?["name"]?.text == "x")
  }
}
