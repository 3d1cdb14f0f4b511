import CoreDataStore
import Formats
import StorePipeline
import StoreTestSupport
import Testing

@Suite("Model extract report as JSON")
struct JSONModelExtractReportTests {
  @Test("the XML is in the document when it went to no file", arguments: [nil, "A.xcdatamodel"])
  func xml(path: String?) throws {
    let report = ModelExtractReport(
      try NotesSample.model("Notes"), xml: "<model/>\n", losses: [], path: path)
    let json = try JSONValue(reading: Array(JSONModelExtractReport(report).text.utf8))
    #expect(json["format"]?.integer == 1)
    #expect(json["path"]?.string == path)
    #expect(json["xml"]?.string == (path == nil ? "<model/>\n" : nil))
    #expect(json["checksum"]?.string == report.hashes.checksum)
  }
}
