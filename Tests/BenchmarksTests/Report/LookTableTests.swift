import Testing

@testable import Benchmarks

@Suite("The table of runs that were looked at") struct LookTableTests {
  @Test("has a line for each that was traced or watched")
  func text() {
    var findings = Sample.findings
    findings.traces["small"] = .failure(.lack("no strace"))
    findings.traces["M2"] = findings.traces["M1"]
    let lines = LookTable(findings).text.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.count == 3)
    #expect(lines[1] == ["M1", "128", "3.00", "20", "7", "1.50", "10.0", "39.0"])
    #expect(lines[2] == ["M2", "128", "3.00", "20", "7", "-", "-", "-"])
  }
}
