import Testing

@testable import Benchmarks

@Suite("The table of growth") struct GrowthTableTests {
  @Test("has a line for each size")
  func text() throws {
    let growth = try #require(try Sample.findings.growth?.get())
    let lines = GrowthTable(growth, of: "rows").text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].contains("rows"))
    #expect(lines[3].split(separator: " ") == ["M1", "10,000", "2.00", "30.0"])
  }
}
