import Foundation
import Testing

@testable import StorePipeline

@Suite("Options of a script") struct ScriptOptionsTests {
  @Test("large objects get the workers that were asked for, and else those meant for them")
  func workers() {
    var options = ScriptOptions(runID: "r", now: Date(timeIntervalSince1970: 0), rejectsPath: "")
    options.workers = 4
    #expect(options.workers(each: 100) == 4)
    #expect(options.workers(each: 600_000) == 4)
    options.workersOfLarge = 1
    #expect(options.workers(each: 100) == 4)
    #expect(options.workers(each: 600_000) == 1)
  }
}
