import Testing

@testable import StorePipeline

@Suite("Durations")
struct DurationTextTests {
  @Test(
    "a length of time is read and written",
    arguments: [
      ("10 s", Duration.seconds(10), "10 s"), ("500 ms", .milliseconds(500), "500 ms"),
      ("14 days", .seconds(14 * 86_400), "14 days"), ("1 day", .seconds(86_400), "1 day"),
      ("2h", .seconds(7200), "2 hours"), ("90 s", .seconds(90), "90 s"),
      ("1500 ms", .milliseconds(1500), "1500 ms"), ("0 s", .zero, "0 ms"),
    ])
  func roundTrip(text: String, duration: Duration, written: String) {
    #expect(DurationText.read(text) == duration)
    #expect(DurationText.write(duration) == written)
    #expect(DurationText.read(written) == duration)
  }

  @Test(
    "what is none is refused",
    arguments: ["", "10", "s", "-1 s", "1.5 s", "10 fortnights", "9999999999999999 days", "10 S"])
  func refused(text: String) {
    #expect(DurationText.read(text) == nil)
  }
}
