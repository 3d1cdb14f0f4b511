import StorePipeline
import Testing

@Suite("Stage registry")
struct StageRegistryTests {
  /// A stage under a name of its own.
  private struct StampStage: Stage {
    static let description = StageDescription(
      name: "stamp", summary: "Stamps.", details: "", example: "")

    func run(_ context: RunContext) async throws {}
  }

  /// Another stage under a name that is taken.
  private struct OtherCopyStage: Stage {
    static let description = StageDescription(
      name: "copy", summary: "Copies otherwise.", details: "", example: "")

    func run(_ context: RunContext) async throws {}
  }

  @Test("the stages that ship are those of the design, in its order")
  func standard() {
    #expect(
      StageRegistry.standard.descriptions.map(\.name) == [
        "detect", "open", "copy", "transform", "connect", "metadata", "validate", "verify",
        "report", "backup", "swap", "hook", "redact", "dedupe",
      ])
  }

  @Test("a list with one stage more or less is another list, and the old one stays")
  func variants() {
    let more = StageRegistry.standard.with(StampStage.self)
    #expect(more["stamp"]?.summary == "Stamps.")
    #expect(StageRegistry.standard["stamp"] == nil)
    #expect(more.without("stamp").descriptions == StageRegistry.standard.descriptions)
    let other = StageRegistry.standard.with(OtherCopyStage.self)
    #expect(other.descriptions.count == StageRegistry.standard.descriptions.count)
    #expect(other["copy"]?.summary == "Copies otherwise.")
  }
}
