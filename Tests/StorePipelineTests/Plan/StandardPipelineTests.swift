import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("The standard pipeline", .temporaryFolder)
struct StandardPipelineTests {
  @Test("it infers everything and names its stages in order") func stages() throws {
    let pipeline = try Pipeline.standard(models: [NotesSample.models.path], target: "Notes")
    #expect(
      pipeline.stages.map(\.stage.name)
        == ["detect", "open", "copy", "connect", "validate", "verify", "swap"])
    #expect(pipeline.target == "Notes" && pipeline.stages[2].stage["chunk"] != nil)
    #expect(try Planner(pipeline: pipeline).plan().steps.isEmpty == false)
  }

  @Test("a model that is not there is a mistake, reported once") func missing() {
    let error = #expect(throws: PipelineFileError.self) {
      try Pipeline.standard(models: ["nowhere.momd"])
    }
    #expect(error?.description == "--models: there is no nowhere.momd")
  }

  @Test("what cannot be inferred names the versions and both ways out")
  func notInferable() throws {
    let folder = try PlanFolder.notes()
    let pipeline = try Pipeline.standard(
      models: [folder.path("Notes.xcdatamodeld")], target: "Notes 2")
    let plan = try Planner(pipeline: pipeline).plan(store: try Store(folder.path("Notes.sqlite")))
    #expect(
      plan.problems.map(\.description).last == """
        Notes to Notes 2: Note.done: The target has no place for it: what it holds would be lost.
        Give it up with: --accept-loss Note.done
        Or say so in a pipeline file, for 'pipeline run':
          map { entity = "Note", attributes = { pinned = from("done") } }   Note.pinned is new
          drop { "Note.done" }
        """)
  }
}
