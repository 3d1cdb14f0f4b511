import Foundation
import Testing

@testable import StorePipeline

@Suite("State of a store as text")
struct TextStoreStatusTests {
  private static func status(_ change: (inout StoreStatus) -> Void = { _ in }) -> StoreStatus {
    let run = StoreStatus.Run(
      id: "r", work: "run", phase: "copying", isRunning: false, step: 2, stage: "copy",
      entity: "Note", rows: 1_000, total: 2_500, started: Date(timeIntervalSince1970: 0),
      command: [])
    var status = StoreStatus(
      store: "s", work: "s.pipeline", run: run, problem: nil, backups: [], rejects: 0)
    change(&status)
    return status
  }

  private func text(_ status: StoreStatus) -> String {
    TextStoreStatus(status, width: 100).text
  }

  @Test("a run that was cut short says how far it came, and how to resume it")
  func cutShort() {
    let told = text(Self.status())
    #expect(told.hasPrefix("s: run r, cut short\n"))
    #expect(told.contains("copy, step 2, Note 1,000 of 2,500"))
    #expect(told.contains("\nThe same command continues it, and so does\n  pipeline resume "))
    #expect(told.hasSuffix("\nno backups"))
  }

  @Test("a run whose parts have changed says which, and that it starts over")
  func changed() {
    let told = text(Self.status { $0.run?.changed = ["script a.lua", "source"] })
    #expect(told.contains("script a.lua, source") && told.contains("To start over:"))
    #expect(!told.contains("continues it"))
  }

  @Test(
    "a restore whose backup may be in place is only to be resumed, not given once more",
    arguments: ["swapping", "swapped"])
  func restored(phase: String) {
    let told = text(
      Self.status {
        $0.run?.work = "restore"
        $0.run?.phase = phase
      })
    #expect(told.contains("This finishes what is left") && told.contains("  pipeline resume s"))
    #expect(!told.contains("The same command continues it"))
  }

  @Test("a run whose record is not given again unseen is continued by its own command")
  func ownCommand() {
    let told = text(
      Self.status {
        $0.run?.command = ["run", "--output=/elsewhere", "--", "f", "s"]
        $0.run?.needsItsCommand = true
      })
    #expect(told.contains("continues it:\n  pipeline run '--output=/elsewhere' -- f s"), "\(told)")
    #expect(!told.contains("pipeline resume"))
  }

  @Test("a run at work and one that is over need no advice", arguments: [true, false])
  func noAdvice(isRunning: Bool) {
    let told = text(
      Self.status {
        $0.run?.isRunning = isRunning
        if !isRunning { $0.run?.phase = "done" }
      })
    #expect(told.hasPrefix("s: run r, \(isRunning ? "at work" : "over")\n"))
    #expect(!told.contains("abandon"))
  }

  @Test("a state that cannot be read says why, and the way out")
  func unreadable() {
    let told = text(
      Self.status {
        $0.run = nil
        $0.problem = "state.json: It is cut off."
      })
    #expect(told.contains("state.json: It is cut off."))
    #expect(
      told.contains("removes the run's files and leaves store and backups:\n  pipeline abandon "))
  }

  @Test("no run, but objects that were rejected")
  func rejects() {
    let told = text(
      Self.status {
        $0.run = nil
        $0.rejects = 1_234
      })
    #expect(told.hasPrefix("s: no run\nrejects: 1,234, in s.pipeline\n"))
    #expect(
      told.contains("To put them in, once the script is corrected:\n  pipeline retry "), "\(told)")
  }
}
