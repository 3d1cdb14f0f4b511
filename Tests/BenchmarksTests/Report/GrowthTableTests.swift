import Testing

@testable import Benchmarks

@Suite("The table of growth") struct GrowthTableTests {
  @Test("has a line for each size")
  func text() {
    let lines = GrowthTable(Sample.findings.growth ?? Growth()).text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[3].split(separator: " ") == ["M1", "10,000", "2.00", "30.0"])
  }
}
