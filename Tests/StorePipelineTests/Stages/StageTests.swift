import StorePipeline
import Testing

@Suite("A stage of one's own")
struct StageTests {
  /// A stage as a program that links the library would write it.
  private enum StampStage: Stage {
    static let description = StageDescription(
      name: "stamp", summary: "Stamps.", details: "Stamps every object.",
      options: [
        OptionDescription("ink", .choice(["red", "blue"]), isRequired: true, help: "The colour.")
      ],
      consumes: [.objects], example: #"stage "stamp" { ink = "red" }"#)

    static func run(_ stage: PipelineStage, _ context: RunContext) async throws {}
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
