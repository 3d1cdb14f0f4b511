import Testing

@testable import StorePipeline

@Suite("Stage hook")
struct HookStageTests {
  /// The stage as a pipeline has it, from the table behind its name.
  private static func stage(_ table: String) throws -> PipelineStage {
    try StageText.read(HookStage.kind.description, table)
  }

  @Test("it takes a program with arguments, and the moments to run at")
  func options() throws {
    let stage = try Self.stage("{ on = 'failed', command = { 'notify', '${status}' } }")
    #expect(stage["on"] == .list([.text("failed")]))
    #expect(stage["command"] == .list([.text("notify"), .text("${status}")]))
    #expect(try Self.stage("{ command = 'notify' }")["command"] == .list([.text("notify")]))
    #expect(throws: PipelineFileError.self) { try Self.stage("{ command = 'a', on = 'lunch' }") }
  }

  @Test("it is the only stage that starts programs")
  func effects() {
    let starting = StageRegistry.standard.descriptions.filter { $0.touches.contains(.programs) }
    #expect(starting.map(\.name) == ["hook"])
  }
}
