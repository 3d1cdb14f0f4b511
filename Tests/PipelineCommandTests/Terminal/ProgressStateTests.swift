import Foundation
import StorePipeline
import Testing

@testable import pipeline

@Suite("Progress state")
struct ProgressStateTests {
  @Test("the rate is that of the last ten seconds") func rate() {
    var state = ProgressState()
    state.take(.at(0, .stageStarted))
    for second in 1...20 { state.take(.at(Double(second), .progress, rows: second * 10)) }
    #expect(state.rate == 10)
    for second in 21...30 {
      state.take(.at(Double(second), .progress, rows: 200 + (second - 20) * 90))
    }
    #expect(state.rate == 90)
  }

  @Test("a slow step still has a rate") func slow() {
    var state = ProgressState()
    state.take(.at(0, .stageStarted))
    state.take(.at(60, .progress, rows: 120))
    #expect(state.rate == 2)
    #expect(state.remaining(at: Date(timeIntervalSinceReferenceDate: 60)) == 4940)
  }

  @Test("events that come thick do not change the rate") func thick() throws {
    var state = ProgressState()
    state.take(.at(0, .stageStarted))
    for step in 1...10_000 { state.take(.at(Double(step) / 1000, .progress, rows: step)) }
    #expect(abs(try #require(state.rate) - 1000) < 1)
  }

  @Test("a stage starts over, but what was rejected stays counted") func stages() {
    var state = ProgressState()
    state.take(.at(0, .stageStarted))
    state.take(.at(1, .progress, rows: 10, bytes: 5))
    state.take(.at(1, .rejected))
    state.take(.at(2, .stageStarted, entity: nil, total: nil))
    #expect(state.rows == 0 && state.bytes == 0 && state.total == nil && state.rate == nil)
    #expect(state.rejected == 1 && state.entity == "")
  }
}
