import Formats
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("A later verification as JSON", .temporaryFolder)
struct JSONVerificationSummaryTests {
  @Test("the document has what programs rely on")
  func document() async throws {
    let sample = try RunSample()
    let run = try await sample.run()
    try SampleStore.change(sample.store, by: "UPDATE ZNOTE SET ZTITLE = 'x' WHERE Z_PK = 1")
    let summary = try await StoreVerification(store: sample.store).run()
    let document = try JSONValue(reading: Array(JSONVerificationSummary(summary).text.utf8))
    #expect(
      document.members?.map(\.name) == [
        "format", "store", "run", "backup", "source", "target", "objects", "failures", "count",
        "since", "untouched", "complete", "same", "warnings",
      ])
    #expect(document["run"]?.string == run.run)
    #expect(document["count"]?.integer == 1)
    #expect(document["same"] == .bool(false))
    let failure = document["failures"]?.array?.first
    #expect(
      failure?.members?.map(\.name) == ["entity", "pk", "property", "rule", "source", "since"])
    #expect(failure?["entity"]?.string == "Note")
    #expect(failure?["pk"]?.integer == 1)
    #expect(failure?["property"]?.string == "title")
  }
}
