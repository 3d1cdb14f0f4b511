import Foundation
import TestSupport
import Testing

@testable import Benchmarks

@Suite("The page of what was measured") struct MeasuredPageTests {
  private let page = MeasuredPage(Sample.findings, remark: "W1 100 rows")

  @Test("has each goal, each contender, and why something is missing")
  func contents() {
    let lines = page.text.split(separator: "\n")
    #expect(lines.contains("W1 100 rows."))
    for goal in Sample.findings.goals {
      #expect(lines.contains { $0.hasPrefix("| \(goal.id) | \(goal.text) | ") }, "\(goal.id)")
    }
    #expect(lines.contains("### M1 <a> & b"))
    #expect(lines.contains { $0.hasPrefix("| \(Names.staged) | 0.50 | 0.50 | 0.50 | 1.00 |") })
    #expect(lines.contains("- not measured: \(Names.dryRun): this build has no --dry-run"))
  }

  @Test("is written where it is wanted", .temporaryFolder)
  func file() throws {
    let path = TemporaryFolder.url.appending(path: "Measured.md").path
    try page.write(to: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == page.text)
  }
}
