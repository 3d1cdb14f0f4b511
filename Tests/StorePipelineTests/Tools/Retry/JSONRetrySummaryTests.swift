import Formats
import StorePipeline
import TestSupport
import Testing

@Suite("Retried objects as JSON", .temporaryFolder)
struct JSONRetrySummaryTests {
  @Test("the document has what programs rely on")
  func document() async throws {
    let sample = try RetrySample()
    let run = try await sample.run(RetrySample.computing("Milk"))
    let summary = try await sample.retry(RetrySample.computing("Bread"))
    let document = try JSONValue(reading: Array(JSONRetrySummary(summary).text.utf8))
    #expect(
      document.members?.map(\.name) == [
        "format", "store", "status", "outcome", "run", "retried", "entities", "waiting", "count",
        "left", "leftObjects", "leftIn", "failures", "backup", "warnings",
      ])
    #expect(document["outcome"]?.string == "swapped")
    #expect(document["retried"]?.string == run.run)
    #expect(document["count"]?.integer == 1)
    #expect(document["entities"]?.array?.first?["made"]?.integer == 1)
    let waiting = document["waiting"]?.array?.first
    #expect(waiting?.members?.map(\.name) == ["entity", "pk", "reason", "script", "line"])
    #expect(waiting?["pk"]?.integer == 3)
  }
}
