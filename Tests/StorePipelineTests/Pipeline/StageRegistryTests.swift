@testable import StorePipeline
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

  @Test("the names are those of the stages, which need not be made for them")
  func names() {
    let standard = StageRegistry.standard
    #expect(standard.names == standard.descriptions.map(\.name))
    #expect(standard["redact"]?.name == "redact")
    #expect(standard.without("redact")["redact"] == nil)
    #expect(standard.without("redact").names == standard.names.filter { $0 != "redact" })
    let more = standard.with(StampStage.self)
    #expect(more.names == standard.names + ["stamp"])
    #expect(more.descriptions.map(\.name) == more.names)
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
