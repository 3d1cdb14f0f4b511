import Testing

@testable import Benchmarks

@Suite("What the layers cost") struct BenchmarkTests {
  @Test("one line for each that has the name in it")
  func lines() throws {
    var lines: [String] = []
    try Benchmark.measureAll("lua.call") { lines.append($0) }
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("lua.call") == true)
    #expect(lines.first?.hasSuffix("calls a second") == true)
  }
}
