import Testing

@testable import Benchmarks

@Suite("Numbers in tables") struct FormatTests {
  @Test(
    "the smaller, the more places",
    arguments: [(0.354, "0.35"), (1, "1.00"), (9.5, "9.50"), (10.25, "10.2"), (1234.5, "1234")])
  func number(_ number: Double, _ text: String) {
    #expect(Format.number(number) == text)
  }

  @Test("counts have commas, bytes are mebibytes")
  func others() {
    #expect(Format.count(1_234_567) == "1,234,567")
    #expect(Format.mebibytes(3 * 1_048_576) == "3.00")
  }
}
