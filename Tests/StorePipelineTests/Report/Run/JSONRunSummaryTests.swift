import Formats
import Testing

@testable import StorePipeline

@Suite("Summary of a run as JSON")
struct JSONRunSummaryTests {
  private func decode(_ summary: RunSummary) throws -> JSONValue {
    try JSONValue(reading: Array(JSONRunSummary(summary).text.utf8))
  }

  @Test("it has what programs rely on")
  func keys() throws {
    let document = try decode(RunSummarySample.everything())
    for key in [
      "run", "status", "source", "target", "entities", "warnings", "bytes", "seconds",
      "rowsPerSecond", "peakMemory", "backup", "digest",
    ] { #expect(document[key] != nil, "\(key) is missing") }
    #expect(document["format"]?.integer == 1 && document["status"]?.integer == 0)
    #expect(document["outcome"]?.string == "swapped" && document["output"] == .null)
    #expect(document["digest"]?["pipeline"]?.string == "p")
    let note = try #require(document["entities"]?.array?.last)
    #expect(note["in"]?.integer == 1_200 && note["out"]?.integer == 1_197)
    #expect(note["rejected"]?.integer == 3 && note["target"]?.string == "Memo")
  }

  @Test("a failure has no value unless values were asked for")
  func values() throws {
    var summary = RunSummarySample.everything(.invalid)
    let failure = try #require(try decode(summary)["failures"]?.array?.first)
    #expect(failure["value"] == nil && failure["pk"]?.integer == 7)
    summary.failures[0].value = "none"
    #expect(try decode(summary)["failures"]?.array?.first?["value"]?.string == "none")
    #expect(try decode(summary)["status"]?.integer == 1)
  }

  @Test("a failure names the object that a script made it from, and the script")
  func origin() throws {
    var summary = RunSummarySample.everything(.invalid)
    #expect(try decode(summary)["failures"]?.array?.first?["origin"] == nil)
    summary.failures[0].script = "a.lua:3"
    summary.failures[0].origin = .init(entity: "Note", key: 5)
    let failure = try #require(try decode(summary)["failures"]?.array?.first)
    #expect(failure["origin"]?["entity"]?.string == "Note")
    #expect(failure["origin"]?["pk"]?.integer == 5 && failure["script"]?.string == "a.lua:3")
    #expect(summary.failures[0].maker == "; made from Note 5 by a.lua:3")
    summary.failures[0].script = nil
    #expect(summary.failures[0].maker == "; from Note 5")
  }

  @Test("where the new store is elsewhere, its path is reported")
  func output() throws {
    #expect(
      try decode(RunSummarySample.everything(.written("a")))["output"]?.string == "a")
    #expect(try decode(RunSummarySample.everything(.staged("b")))["output"]?.string == "b")
  }

  @Test("a run too short to tell has no rate")
  func rate() throws {
    var summary = RunSummarySample.everything()
    summary.seconds = 0
    #expect(try decode(summary)["rowsPerSecond"] == .null)
  }
}
