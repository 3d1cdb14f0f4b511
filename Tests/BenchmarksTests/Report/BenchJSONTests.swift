import Formats
import Testing

@testable import Benchmarks

@Suite("The figures as JSON") struct BenchJSONTests {
  @Test("each entry has goal, reached, measure, median, min and max")
  func entries() throws {
    let document = try JSONValue(reading: Array(BenchJSON(Sample.findings).text.utf8))
    let entries = try #require(document.array)
    #expect(entries.count == 12 + 4)
    for entry in entries {
      let names = entry.members?.map(\.name) ?? []
      #expect(names.starts(with: ["goal", "reached", "measure", "median", "min", "max"]))
    }
    #expect(entries[0]["goal"]?.string == "<= 0.35")
    #expect(entries[0]["reached"]?.bool == false)
    #expect(entries[0]["median"] == .real(0.5))
    #expect(entries[11]["reached"] == .null)
    #expect(entries[11]["why"]?.string?.isEmpty == false)
    #expect(entries[13]["measure"]?.string == "M1: \(Names.staged) / \(Names.insertSelect)")
  }
}
