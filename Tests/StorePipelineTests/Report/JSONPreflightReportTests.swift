import CoreDataStore
import Formats
import StorePipeline
import TestSupport
import Testing

@Suite("Preflights as JSON", .temporaryFolder)
struct JSONPreflightReportTests {
  @Test("each failure has its object, its rule and its age") func failures() throws {
    let (plan, result) = try PreflightSample.preflight(limit: 1)
    let json = try JSONValue(reading: Array(JSONPreflightReport(result, plan).text.utf8))
    #expect(json["count"] == 4)
    #expect(
      json["failures"] == [
        [
          "entity": "Item", "pk": 2, "property": "label", "rule": "mandatory", "source": false,
          "version": "App 2",
        ]
      ])
  }

  @Test("nothing to do is nothing wrong") func nothing() throws {
    let (plan, _) = try PreflightSample.preflight(limit: 1)
    let json = try JSONValue(reading: Array(JSONPreflightReport([], plan).text.utf8))
    #expect(json["count"] == 0 && json["failures"] == [])
  }
}
