import Foundation
import Testing

@testable import Benchmarks

@Suite("What runs say that remains") struct RemainingTests {
  /// A run of ten seconds, of whose end it says something at the start and in the middle.
  private static func lines(first: Double, middle: Double, fraction: Double = 0.5) -> String {
    let day = "2026-01-01T00:00"
    return """
      {"event":"run-started","time":"\(day):00.000Z","fraction":0,"remaining":\(first)}
      not an event
      {"event":"progress","time":"\(day):05.000Z","fraction":\(fraction),"remaining":\(middle)}
      {"event":"run-finished","time":"\(day):10.000Z","fraction":1,"remaining":0}
      """
  }

  @Test("a run that is right is off by nothing until two seconds remain; the time is counted down")
  func right() throws {
    let remaining = try #require(Remaining(reading: Self.lines(first: 10, middle: 5)))
    #expect(remaining.seconds == 10 && !remaining.fell)
    #expect(remaining.errors.count == 9)
    #expect(remaining.errors.prefix(8).allSatisfy { abs($0 ?? 1) < 0.001 })
    #expect(remaining.errors[8] == nil)
  }

  @Test("a run that is wrong is off by a part of what did remain")
  func wrong() throws {
    let remaining = try #require(Remaining(reading: Self.lines(first: 14, middle: 9)))
    // One second after the start it showed 13, and 9 did remain.
    #expect(abs((remaining.errors[0] ?? 0) - 4.0 / 9) < 0.001)
    #expect(abs((remaining.errors[4] ?? 0) - 0.8) < 0.001)
    // When 1 second did remain it showed 5.
    #expect(abs((remaining.errors[8] ?? 0) - 4) < 0.001 && remaining.worst == remaining.errors[8])
  }

  @Test("a bar that goes back is noticed, and a file without events has no figures")
  func others() throws {
    let back = Remaining(reading: Self.lines(first: 10, middle: 5, fraction: -1))
    #expect(back?.fell == true)
    #expect(Remaining(reading: "nothing") == nil)
  }
}
