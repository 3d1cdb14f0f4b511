import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("A stage of one's own")
struct StageTests {
  /// A stage as a program that links the library would write it.
  private struct StampStage: Stage {
    private var ink = Ink.red

    private enum Ink: String, OptionChoice { case red, blue }

    static let description = StageDescription(
      name: "stamp", summary: "Stamps.", details: "Stamps every object.",
      consumes: [.objects], example: #"stage "stamp" { ink = "red" }"#)

    static let options: [StageOption<Self>] = [.required("ink", \.ink, help: "The colour.")]

    func run(_ context: RunContext) async throws {
      let notes = try context.count("count(Note where title != nil)")
      context.warn("\(notes) titles stamped in \(ink.rawValue)")
    }
  }

  @Test("a program's own stage runs like those that ship", .temporaryFolder)
  func ownStageRuns() async throws {
    let folder = TemporaryFolder.url
    try NotesSample.lay(in: folder)
    let stages = StageRegistry.standard.with(StampStage.self)
    let text = """
      pipeline "P" { format = 1, models = "Notes.xcdatamodeld" }
      stage "detect" {} stage "open" {}
      stage "copy" {
        drop { "Note.done" },
        map { entity = "Note", attributes = { priority = 0 } },
        accept_loss = "*",
      }
      stage "stamp" { ink = "blue" }
      """
    let file = PipelineFile(text, path: folder.appending(path: "p.pipeline").path)
    let pipeline = try file.pipeline(stages: stages)
    let store = folder.appending(path: "Notes.sqlite").path
    let plan = try Planner(pipeline: pipeline, stages: stages).plan(store: try Store(store))
    let summary = try await Run(plan, store: store, stages: stages).execute()
    #expect(summary.warnings == ["3 titles stamped in blue"])
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
        3: stage 'stamp' needs the objects of the new store: put 'copy' (line 5) above it
        """,
      ])
  }
}
