import Testing

@testable import Benchmarks

@Suite("The table of a race") struct RaceTableTests {
  @Test("has a line for each that ran and one for each that did not")
  func text() throws {
    let result = try #require(Sample.findings.races.first)
    let lines = RaceTable(result).text.split(separator: "\n")
    #expect(lines[1] == "2 rounds, each time over that of: \(Names.insertSelect)")
    #expect(lines[2].hasSuffix("ratio   min   max  seconds   cpu  peak MiB  written MiB"))
    #expect(
      lines[4].split(separator: " ", omittingEmptySubsequences: true)
        == ["pipeline,", "staged", "0.50", "0.50", "0.50", "1.00", "0.50", "40.0", "1.00"])
    #expect(lines.contains("not measured: \(Names.dryRun): this build has no --dry-run"))
    #expect(lines.last?.hasPrefix("verify  ") == true)
  }
}
