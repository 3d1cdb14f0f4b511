import Testing

@testable import Benchmarks

@Suite("The table of a command's stages") struct StageTableTests {
  private static func measurement(_ seconds: Double, _ parts: [String: Double]) -> Measurement {
    Measurement(seconds: seconds, processor: 1, peak: 1, written: 1, parts: parts)
  }

  @Test("has the share and the time of each, the longest first, and what is no stage's")
  func text() throws {
    let rounds = [
      Self.measurement(4, ["copy": 2, "swap": 1]), Self.measurement(2, ["copy": 1, "swap": 0.5]),
    ]
    let table = try #require(StageTable("complete", rounds))
    let lines = table.text.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(
      lines == [
        ["complete", "share", "seconds"], ["copy", "0.50", "1.50"],
        ["swap", "0.25", "0.75"], ["all", "else", "0.25", "0.75"],
      ])
  }

  @Test("there is none of a command that does not tell")
  func silent() {
    #expect(StageTable("cp", [Self.measurement(1, [:])]) == nil)
  }
}
