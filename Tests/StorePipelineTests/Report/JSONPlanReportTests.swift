import CoreDataStore
import Formats
import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("Plans as JSON", .temporaryFolder)
struct JSONPlanReportTests {
  @Test("the document has what programs rely on") func document() throws {
    let folder = try PlanFolder.notes()
    let plan = try folder.plan(store: "Notes.sqlite")
    let json = try JSONValue(reading: Array(JSONPlanReport(plan).text.utf8))
    #expect(json["format"]?.integer == 1 && json["pipeline"]?.string == "Notes 1 to 2")
    #expect(json["source"]?.string == "Notes" && json["target"]?.string == "Notes 2")
    let step = try #require(json["steps"]?.array?.first)
    #expect(step["from"]?.string == "Notes" && step["to"]?.string == "Notes 2")
    let note = try #require(json["entities"]?.array?.first { $0["source"]?.string == "Note" })
    #expect(note["how"]?.string == "scripted" && note["rows"]?.integer == 3)
    #expect(note["attributes"]?.array?.first?["rule"]?.string == "renamed by identifier")
    #expect(note["lost"]?.array?.first?["name"]?.string == "Note.done")
    #expect(json["uris"]?["breaks"]?.bool == true && json["uris"]?["why"]?.array?.count == 1)
    #expect(json["space"]?["needed"]?.integer == plan.space?.needed)
    #expect(json["problems"]?.array == [] && json["digest"]?.string == plan.digest)
  }

  @Test("the document is accepted in place of the file, and means the same plan")
  func again() throws {
    let folder = try PlanFolder.notes()
    let plan = try folder.plan(store: "Notes.sqlite")
    let pipeline = try folder.pipeline(JSONPlanReport(plan).text, file: "plan.json")
    #expect(pipeline.digest == plan.pipeline.digest)
    let again = try Planner(pipeline: pipeline).plan(store: Store(folder.path("Notes.sqlite")))
    #expect(again.digest == plan.digest)
    #expect(again.steps.map(\.entities) == plan.steps.map(\.entities))
  }

  @Test("a script that has changed since is a problem, unless the document says nothing of scripts")
  func changedScript() throws {
    let folder = try PlanFolder.notes()
    let text = JSONPlanReport(try folder.plan(store: "Notes.sqlite")).text
    func problems(_ text: String) throws -> [String] {
      let pipeline = try folder.pipeline(text, file: "plan.json")
      return try Planner(pipeline: pipeline).plan(store: Store(folder.path("Notes.sqlite")))
        .problems.map(\.message)
    }
    #expect(try problems(text) == [])
    let script = try String(contentsOfFile: folder.path("notes_priority.lua"), encoding: .utf8)
    try folder.write(script + "-- changed\n", to: "notes_priority.lua")
    #expect(
      try problems(text) == [
        "notes_priority.lua has changed since the plan was made; make it again, and look at it: "
          + "`pipeline plan FILE --json`"
      ])
    #expect(try problems(text.replacing("\"scripts\"", with: "\"others\"")) == [])
    try folder.write(script, to: "notes_priority.lua")
    #expect(try problems(text) == [])
  }

  @Test("problems have file, line and message") func problems() throws {
    let found = [
      Problem(file: "a", line: 3, message: "m"), Problem(file: "b", line: 0, message: "n"),
    ]
    let json = try JSONValue(reading: Array(JSONPlanProblems(found).text.utf8))
    let list = try #require(json["problems"]?.array)
    #expect(list.map { $0["line"] } == [.integer(3), .null])
    #expect(list.map { $0["file"]?.string } == ["a", "b"])
  }
}
