import Formats
import StorePipeline
import StoreTestSupport
import Testing

@Suite("Model hash report as JSON")
struct JSONModelHashReportTests {
  @Test("the keys are those programs rely on") func keys() throws {
    let report = ModelHashReport(try NotesSample.model("Notes 2"))
    let json = try JSONValue(reading: Array(JSONModelHashReport(report).text.utf8))
    #expect(json["format"]?.integer == 1)
    #expect(json["version"]?.string == "Notes 2")
    #expect(json["entities"]?.members?.map(\.name) == ["Attachment", "Folder", "Label", "Note"])
    #expect(json["entities"]?["Note"]?.string == report.entities[3].hash)
    #expect(json["digest"]?.string == report.digest)
    #expect(json["checksum"]?.string == report.checksum)
    #expect(json["uncertain"]?.array == [])
  }

  @Test("what is not known is left out and named") func unknown() throws {
    let report = try ModelHashReportTests.uncertain(recorded: false)
    let json = try JSONValue(reading: Array(JSONModelHashReport(report).text.utf8))
    #expect(json["entities"]?.members?.map(\.name) == ["Plain"])
    #expect(json["uncertain"] == ["Odd"])
    #expect(json["reasons"]?["Odd"]?.string?.isEmpty == false)
    #expect(json["digest"] == .null)
  }
}
