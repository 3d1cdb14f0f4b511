import TestSupport
import Testing

@testable import StorePipeline

@Suite("Backups and the ways back as text", .temporaryFolder)
struct TextRecoveryTests {
  @Test("a backup is listed with its files, its size, and that it was read again")
  func backups() throws {
    let sample = try RunSample()
    let made = try StoreRecovery.backUp([sample.store], to: sample.path("kept"))
    let told = TextRecovery.backups(made, at: sample.path("kept"))
    #expect(told.hasPrefix("\(made[0].path): \(made[0].files) file"))
    #expect(told.hasSuffix(", verified"))
  }

  @Test("a restore tells what is back, and where the other is now")
  func restore() throws {
    let sample = try RunSample()
    let backup = try #require(
      try StoreRecovery.backUp([sample.store], to: sample.path("kept")).first)
    var summary = RestoreSummary(store: "s", backup: backup, replaced: nil, warnings: [])
    #expect(TextRecovery.restore(summary) == "s: is as in \(backup.path)")
    summary.isUnchanged = true
    #expect(
      TextRecovery.restore(summary) == "s: is as in \(backup.path) already; nothing was replaced")
    (summary.isUnchanged, summary.replaced) = (false, "b")
    #expect(TextRecovery.restore(summary).hasSuffix("\nbackup of what was there: b"))
  }

  @Test(
    "what happened to a run that was given up",
    arguments: [
      (AbandonSummary.Outcome.none, "s: no run"),
      (.over, "s: run r was over; its files are removed"),
      (.abandoned, "s: run r is abandoned; the store is as it was"),
      (.finished, "s: run r had replaced the store already; what was left is done"),
    ])
  func abandon(outcome: AbandonSummary.Outcome, told: String) {
    let summary = AbandonSummary(store: "s", run: "r", outcome: outcome)
    #expect(TextRecovery.abandon(summary) == told)
  }

  @Test("what was removed is listed, and so is that nothing was")
  func clean() throws {
    let sample = try RunSample()
    let made = try StoreRecovery.backUp([sample.store], to: sample.path("kept"))
    var summary = StoreRecovery.CleanSummary(store: "s")
    #expect(TextRecovery.clean(summary) == "s: no backup is removed")
    summary.removed = made
    #expect(
      TextRecovery.clean(summary).hasPrefix("removed \(made[0].path)\ns: 1 backup removed, "))
  }
}
