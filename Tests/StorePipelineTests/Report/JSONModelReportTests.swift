import Formats
import StorePipeline
import Testing

@Suite("Model report as JSON")
struct JSONModelReportTests {
  @Test("the document says what the text says") func document() throws {
    let report = try ModelReportTests.family()
    let json = try JSONValue(reading: Array(JSONModelReport(report).text.utf8))
    #expect(json["format"]?.integer == 1)
    #expect(json["model"]?["versions"] == ["M"])
    #expect(json["model"]?["configurations"]?["Cloud"] == ["Zebra"])
    let entities = try #require(json["entities"]?.array)
    #expect(entities.map { $0["number"]?.integer } == [1, 2, 3, 4])
    #expect(entities[0]["abstract"]?.bool == true && entities[0]["super"] == .null)
    #expect(entities[0]["unique"] == [["name"]])
    #expect(entities[1]["super"]?.string == "item")
    #expect(entities[0]["attributes"]?.array?.first?["type"]?.string == "String")
  }
}
