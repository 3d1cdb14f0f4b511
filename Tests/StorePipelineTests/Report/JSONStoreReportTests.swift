import Foundation
import Formats
import StorePipeline
import TestSupport
import Testing

@Suite("Store report as JSON", .temporaryFolder)
struct JSONStoreReportTests {
  private func json(_ report: StoreReport) throws -> JSONValue {
    try JSONValue(reading: Array(JSONStoreReport(report).text.utf8))
  }

  @Test("the keys are those programs rely on") func keys() throws {
    let json = try json(try StoreReportTests.notes(models: true))
    #expect(
      Set((json.members ?? []).map(\.name)).isSuperset(of: [
        "format", "store", "model", "entities", "joins", "blobs", "history", "cloudKit", "triggers",
        "foreign", "metadata", "log", "integrity",
      ]))
    #expect(
      json["store"]?.members?.map(\.name) == [
        "path", "bytes", "pageSize", "journal", "walBytes", "uuid", "framework", "identifiers",
      ])
    #expect(json["store"]?["pageSize"]?.integer == 4096)
    #expect(json["model"]?["name"]?.string == "Notes" && json["model"]?["known"]?.string == "file")
    #expect(json["history"] == .null && json["integrity"]?.string == "ok")
    #expect(json["blobs"]?["missing"]?.integer == 0)
    #expect(json["joins"] == [["table": "Z_2TAGS", "rows": 2]])
    let note = try #require(json["entities"]?.array?[1])
    #expect(
      note.members?.map(\.name) == ["name", "number", "super", "rows", "bytes", "hash"])
    #expect(note["rows"]?.integer == 3 && note["hash"]?.string?.count == 44)
  }

  @Test("hashes in the metadata are base64, the application's values are kinds") func metadata()
    throws
  {
    let json = try json(try StoreReportTests.notes())
    let hashes = json["metadata"]?["NSStoreModelVersionHashes"]
    #expect(hashes?["Note"]?.string?.count == 44)
    #expect(json["metadata"]?["lastOpenedBy"] == ["type": "string", "bytes": 8])
    #expect(json["metadata"]?["launches"] == ["type": "number"])
  }

  @Test("why a model does not fit is reported") func against() throws {
    let against = try json(try StoreReportTests.notes(against: "Notes 2"))["against"]
    #expect(against?["fits"]?.bool == false)
    #expect(
      against?["differences"]?.array?.map { $0["entity"]?.string } == [
        "Attachment", "Label", "Note", "Tag",
      ])
  }
}
