import StorePipeline
import Testing

@Suite("Quantity")
struct QuantityTests {
  @Test("counts", arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
  func count(number: Int, text: String) { #expect(Quantity.count(number) == text) }

  @Test(
    "bytes",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (999_949, "999.9 kB"), (999_950, "1 MB"),
      (1_234_567, "1.2 MB"), (33_980_416, "34 MB"), (5_000_000_000, "5 GB"), (.max, "9.2 EB"),
    ])
  func bytes(number: Int, text: String) { #expect(Quantity.bytes(number) == text) }

  @Test(
    "durations",
    arguments: [
      (0, "0:00"), (7.4, "0:07"), (59.6, "1:00"), (754, "12:34"), (3723, "1:02:03"), (-1, "0:00"),
      (.infinity, "-:--"), (1e9, "-:--"),
    ])
  func duration(seconds: Double, text: String) { #expect(Quantity.duration(seconds) == text) }
}
