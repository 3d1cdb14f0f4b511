import Testing

@testable import Benchmarks

@Suite("The table of the goals") struct GoalTableTests {
  @Test("says what was reached and why something was not measured")
  func text() {
    let lines = GoalTable(Sample.findings.goals).text.split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    #expect(lines[1] == "P1 <= 0.38 0.25 0.25 0.25 reached CPU \(Sample.p1)")
    #expect(lines[2].hasPrefix("P2 <= 0.60 1.00 1.00 1.00 MISSED CPU M1: pipeline, complete"))
    #expect(lines.contains { $0.hasPrefix("P13 M2 <= 2.40 - - - not measured traced M2") })
    #expect(lines.contains("P12 not measured: \(Names.dryRun): this build has no --dry-run"))
    #expect(lines.contains { $0.hasPrefix("P18 not measured: only with the part 'find'") })
  }
}
