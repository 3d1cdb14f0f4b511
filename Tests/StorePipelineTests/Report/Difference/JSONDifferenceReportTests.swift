import CoreDataStore
import Formats
import StorePipeline
import Testing

@Suite("Report of two stores as JSON")
struct JSONDifferenceReportTests {
  @Test("the document is what CONTRACTS says") func document() throws {
    let report = try DifferenceSample.everything()
    let text = try JSONDifferenceReport(report, limit: 1000).text
    let json = try JSONValue(reading: Array(text.utf8))
    #expect(json["format"]?.integer == 1 && json["same"]?.bool == false)
    let note = json["entities"]?.array?.first { $0["name"]?.string == "Note" }
    #expect(note?["changed"]?.integer == 443 && note?["rejected"]?.integer == 2)
    #expect(note?["attributes"]?["title"]?["changed"]?.integer == 412)
    #expect(note?["attributes"]?["picture"]?["emptied"]?.integer == 1)
    #expect(note?["links"]?["folder"]?["gained"]?.integer == 1)
    let objects = json["objects"]?.array ?? []
    #expect(objects.count == 445 && json["omitted"]?.integer == 0)
    #expect(objects[0]["values"]?["title"]?.array == ["  Title 1 ", "Title 1"])
    #expect(objects[0]["key"]?.integer == 1 && objects[0]["change"]?.string == "changed")
    #expect(objects[440]["values"]?["picture"]?.array?[0]["bytes"]?.integer == 70)
    #expect(
      objects[441]["values"]?["created"]?.array?[1]["date"]?.string == "2023-03-08T20:26:40.500Z")
    #expect(json["metadata"]?.array?[0]["key"]?.string == "lastOpenedBy")
  }

  @Test("more objects than the limit are left out and counted") func limit() throws {
    let text = try JSONDifferenceReport(DifferenceSample.everything(), limit: 3).text
    let json = try JSONValue(reading: Array(text.utf8))
    #expect(json["objects"]?.array?.count == 3 && json["omitted"]?.integer == 442)
  }
}
