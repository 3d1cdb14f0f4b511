import Testing

@testable import StorePipeline

@Suite("Stage swap")
struct SwapStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(SwapStage.kind.description, table)
  }

  @Test("three backups stay unless a number, a time, days or none are asked for")
  func backups() throws {
    #expect(try Self.stage("{}")["backup"]?["keep"]?.integer == 3)
    #expect(try Self.stage("{ backup = false }")["backup"]?.boolean == false)
    #expect(
      try Self.stage("{ backup = { days = 14 } }")["backup"] == .table(["days": .integer(14)]))
    let kept = try Self.stage("{ backup = { keep = '14 days' } }")
    #expect(kept["backup"]?["keep"]?.duration == .seconds(14 * 86_400))
    let error = #expect(throws: PipelineFileError.self) { try Self.stage("{ backup = true }") }
    #expect(
      error?.problems.map(\.message) == ["option 'backup' must be false or a table, not a boolean"])
  }

  @Test("it is the only stage that touches the user's store")
  func effects() {
    let touching = StageRegistry.standard.descriptions.filter { $0.touches.contains(.store) }
    #expect(touching.map(\.name) == ["swap"])
  }
}
