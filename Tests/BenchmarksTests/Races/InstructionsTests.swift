import Testing

@testable import Benchmarks

@Suite("Instructions") struct InstructionsTests {
  @Test("callgrind's last number is read")
  func collected() {
    let words = """
      ==12== Callgrind, a call-graph generating cache profiler
      ==12== Events    : Ir
      ==12== Collected : 1234567
      ==12== I   refs:      1,234,567
      """
    #expect(Instructions.collected(words) == 1_234_567)
    #expect(Instructions.collected("valgrind: no such program") == nil)
  }
}
