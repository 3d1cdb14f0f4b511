import Foundation
import Testing

@testable import Formats

@Suite("Moments as text")
struct TimeTextTests {
  @Test(
    "a moment is written as Foundation writes it",
    arguments: [
      0, 951_782_399, 951_782_400, 1_709_164_800, 1_763_736_349, 4_107_542_400, -1, -10_000_000_000,
      253_402_300_799,
    ] as [Int64])
  func same(seconds: Int64) {
    let date = Date(timeIntervalSince1970: Double(seconds))
    #expect(TimeText(seconds).extended == date.formatted(.iso8601))
    let precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    #expect(TimeText(seconds).precise == date.formatted(precise))
  }

  @Test("every day of eight hundred years is written as Foundation writes it")
  func days() {
    for day in stride(from: Int64(-134_774), to: 157_404, by: 37) {
      let date = Date(timeIntervalSince1970: Double(day * 86_400))
      #expect(TimeText(day * 86_400).extended == date.formatted(.iso8601))
    }
  }

  @Test("a name of a file has no colons, and a run's id no separators at all")
  func forms() {
    let moment = TimeText(1_763_736_349.5)
    #expect(moment.precise == "2025-11-21T14:45:49.500Z")
    #expect(moment.fileName == "2025-11-21T144549Z")
    #expect(moment.basic == "20251121T144549Z")
  }

  @Test("a basic text is read again", arguments: [0, 1_763_736_349, 4_107_542_400] as [Int64])
  func read(seconds: Int64) {
    #expect(TimeText.seconds(basic: TimeText(seconds).basic) == seconds)
  }

  @Test(
    "any other text is none",
    arguments: [
      "", "20251121T144549", "20251321T144549Z", "20250229T000000Z", "2025112aT144549Z",
      "20251121T244549Z", "2025-11-21T14:45:49Z", "20251121t144549z", "２０２５1121T1445Z",
    ])
  func refused(text: String) { #expect(TimeText.seconds(basic: text) == nil) }

  @Test(
    "a moment beyond all calendars is no trap", arguments: [Double.infinity, -.infinity, 1e300])
  func far(seconds: Double) { #expect(TimeText(seconds).extended.hasSuffix("Z")) }
}
