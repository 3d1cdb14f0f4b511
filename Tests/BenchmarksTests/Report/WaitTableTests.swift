import Testing

@testable import Benchmarks

@Suite("The table of what a user waits for") struct WaitTableTests {
  @Test("has a line for each, in milliseconds, and says why one is missing")
  func text() throws {
    var findings = Findings()
    findings.waits["small saved"] = .success(try #require(Spread(of: [90, 110, 100])))
    findings.waits["changes opened"] = .failure(.lack("chromium is missing"))
    let lines = WaitTable(findings).text.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines[1].split(separator: " ") == ["small", "saved", "100", "90.0", "110"])
    #expect(lines[2] == "not measured: changes opened: chromium is missing")
    #expect(!findings.isEmpty)
  }
}
