import Foundation
import Testing

@testable import Benchmarks

@Suite("Times of stages") struct StageTimesTests {
  private static let lines = """
    {"event":"run-started","time":"2026-01-01T00:00:00.000Z","stage":null}
    {"event":"stage-started","time":"2026-01-01T00:00:01.000Z","stage":"copy"}
    {"event":"progress","time":"2026-01-01T00:00:01.250Z","stage":"copy"}
    {"event":"stage-finished","time":"2026-01-01T00:00:01.500Z","stage":"copy"}
    {"event":"stage-started","time":"2026-01-01T00:00:01.500Z","stage":"verify"}
    not an event
    """

  @Test("a stage takes from its start to its end; one that did not end is left out")
  func times() {
    #expect(StageTimes.times(of: Self.lines) == ["copy": 0.5])
  }

  @Test("several stages of one kind are counted together")
  func repeated() {
    let later = Self.lines.replacing("T00:00:", with: "T00:01:")
    #expect(StageTimes.times(of: Self.lines + "\n" + later) == ["copy": 1])
  }

  @Test("where there is no file there are none")
  func missing() {
    #expect(StageTimes.read(URL(filePath: "/nowhere/events.jsonl")).isEmpty)
  }
}
