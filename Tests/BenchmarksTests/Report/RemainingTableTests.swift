import Testing

@testable import Benchmarks

@Suite("The table of what runs said that remains") struct RemainingTableTests {
  @Test("has a line for each run, with the worst of the tenths")
  func text() throws {
    let lines = """
      {"time":"2026-01-01T00:00:00.000Z","fraction":0,"remaining":12}
      {"time":"2026-01-01T00:00:10.000Z","fraction":1,"remaining":0}
      """
    var findings = Findings()
    findings.remaining["M3"] = .failure(.lack("one processor"))
    findings.remaining["M1"] = .success(try #require(Remaining(reading: lines)))
    let rows = RemainingTable(findings).text.split(separator: "\n").map(String.init)
    #expect(rows.count == 2)
    #expect(rows[1].hasPrefix("M1"))
    #expect(rows[1].contains("+22 %") && rows[1].hasSuffix("+200 %"))
    #expect(!findings.isEmpty)
  }
}
