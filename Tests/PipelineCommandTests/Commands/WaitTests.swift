import Testing

@testable import pipeline

@Suite("How long to wait, on the command line")
struct WaitTests {
  @Test(
    "a number and its unit are a time",
    arguments: [("30 s", Duration.seconds(30)), ("2 min", .seconds(120)), ("0 s", .zero)])
  func times(text: String, duration: Duration) {
    #expect(Wait(argument: text)?.duration == duration)
  }

  @Test("anything else is none", arguments: ["", "30", "s", "-1 s", "soon", "1 s 2"])
  func others(text: String) {
    #expect(Wait(argument: text) == nil)
  }

  @Test("unless it is given, it is ten seconds")
  func unset() {
    #expect((nil as Wait?).duration == .seconds(10))
    #expect((Wait(argument: "3 s") as Wait?).duration == .seconds(3))
  }
}
