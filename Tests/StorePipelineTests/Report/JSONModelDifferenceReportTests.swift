import Formats
import StorePipeline
import Testing

@Suite("Model difference report as JSON")
struct JSONModelDifferenceReportTests {
  @Test("the keys are those programs rely on") func keys() throws {
    let report = try ModelDifferenceReportTests.notes()
    let json = try JSONValue(reading: Array(JSONModelDifferenceReport(report).text.utf8))
    #expect(json["format"]?.integer == 1)
    #expect(json["hashChanges"]?.bool == true && json["inferable"]?.bool == false)
    let entities = try #require(json["entities"]?.array)
    #expect(
      entities.map { $0["change"]?.string } == ["added", "same", "renamed", "changed"])
    #expect(entities[2]["from"]?.string == "Tag")
    let note = try #require(entities[3]["properties"]?.array)
    let priority = try #require(note.first { $0["name"]?.string == "priority" })
    #expect(priority["change"]?.string == "changed" && priority["inferable"]?.bool == false)
    #expect(priority["why"]?.string?.contains("cannot turn String into Integer 16") == true)
    #expect(note.first { $0["name"]?.string == "body" }?["from"]?.string == "text")
  }
}
