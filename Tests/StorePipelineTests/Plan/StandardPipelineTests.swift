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
        == ["detect", "open", "copy", "connect", "validate", "swap"])
    #expect(pipeline.target == "Notes" && pipeline.stages[2].stage["chunk"] != nil)
    #expect(try Planner(pipeline: pipeline).plan().steps.isEmpty == false)
  }

  @Test("a model that is not there is a mistake") func missing() {
    #expect(throws: PipelineFileError.self) { try Pipeline.standard(models: ["nowhere.momd"]) }
  }
}
