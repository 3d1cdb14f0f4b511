import CoreDataStore
import StorePipeline
import StoreTestSupport
import Testing

@Suite("Model extract report")
struct ModelExtractReportTests {
  @Test("the report keeps what was written and where") func parts() throws {
    let report = ModelExtractReport(
      try NotesSample.model("Notes"), xml: "<model/>", losses: ["One."], path: "A.xcdatamodel")
    #expect(report.version == "Notes" && report.path == "A.xcdatamodel")
    #expect(report.hashes.entities.count == 3)
    #expect(report.xml == "<model/>" && report.losses == ["One."])
  }
}
