import Testing

@testable import Benchmarks

@Suite("The table of the goals") struct GoalTableTests {
  @Test("says what was reached and why something was not measured")
  func text() {
    let lines = GoalTable(Sample.findings.goals).text.split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    #expect(lines[1].hasPrefix("P1 <= 0.35 0.50 0.50 0.50 NO M1: pipeline, staged / sqlite3"))
    #expect(lines[10].hasPrefix("P10 <= 0.30 0.25 0.25 0.25 yes"))
    #expect(lines.last == "P12 not measured: \(Names.dryRun): this build has no --dry-run")
  }
}
