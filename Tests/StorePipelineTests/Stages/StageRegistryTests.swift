import StorePipeline
import Testing

@Suite("Stage registry")
struct StageRegistryTests {
  /// A stage as a program that links the library would write it.
  private enum StampStage: Stage {
    static let description = StageDescription(
      name: "stamp", summary: "Stamps.", details: "Stamps every object.",
      options: [
        OptionDescription("ink", .choice(["red", "blue"]), isRequired: true, help: "The colour.")
      ],
      consumes: [.objects], example: #"stage "stamp" { ink = "red" }"#)
  }

  /// Another stage under a name that is taken.
  private enum OtherCopyStage: Stage {
    static let description = StageDescription(
      name: "copy", summary: "Copies otherwise.", details: "", example: "")
  }

  @Test("the stages that ship are those of the design, in its order")
  func standard() {
    #expect(
      StageRegistry.standard.descriptions.map(\.name) == [
        "detect", "open", "copy", "transform", "connect", "metadata", "validate", "verify",
        "report", "backup", "swap", "hook",
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

  @Test("a program's own stage is checked like those that ship")
  func ownStage() {
    let stages = StageRegistry.standard.with(StampStage.self)
    let text =
      PipelineText.header + #"""
        stage "detect" {}
        stage "stamp" { ink = "rde" }
        stage "open" {}
        stage "copy" {}
        """#
    #expect(
      PipelineText(text).mistakes(stages: stages) == [
        """
        3: option 'ink' must be "red" or "blue", not "rde"; did you mean "red"?
        """,
        """
        3: stage 'stamp' needs the objects of the new store, and 'copy' (line 5) stands below it
        """,
      ])
  }
}
