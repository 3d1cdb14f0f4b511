import Formats
import Testing

@testable import Benchmarks

@Suite("The figures as JSON") struct BenchJSONTests {
  @Test("each entry has goal, reached, measure, median, min and max")
  func entries() throws {
    let document = try JSONValue(reading: Array(BenchJSON(Sample.findings).text.utf8))
    let entries = try #require(document.array)
    let goals = Findings().goals.count
    #expect(entries.count == goals + 4)
    for entry in entries {
      let names = entry.members?.map(\.name) ?? []
      #expect(names.starts(with: ["goal", "reached", "measure", "median", "min", "max"]))
    }
    #expect(entries[0]["goal"]?.string == "<= 0.38")
    #expect(entries[0]["reached"]?.bool == true)
    #expect(entries[0]["median"] == .real(0.25))
    #expect(entries[0]["by"]?.string == "CPU")
    #expect(entries[2]["reached"] == .null)
    #expect(entries[2]["why"]?.string?.isEmpty == false)
    #expect(entries[goals + 1]["measure"]?.string == Sample.p1)
    #expect(entries[goals + 1]["median"] == .real(0.5))
  }
}
