import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Backups that rejected objects wait for", .temporaryFolder)
struct AwaitedBackupsTests {
  private static let again = """
    pipeline "again" { format = 1, models = "Notes.xcdatamodeld", target = "Notes 2" }
    stage "copy" {}
    stage "swap" { backup = { keep = 1 } }
    """

  /// One more run over the store, which is of the target version.
  @discardableResult
  private func runAgain(_ sample: RetrySample) async throws -> RunSummary {
    let pipeline = try PipelineFile(Self.again, path: sample.path("again.pipeline")).pipeline()
    let plan = try Planner(pipeline: pipeline, settings: PlanSettings(force: true))
      .plan(store: try Store(sample.store))
    return try await Run(plan, store: sample.store).execute()
  }

  private func backups(_ sample: RetrySample) throws -> [String] {
    try StoreRecovery(store: sample.store).status().backups.map(\.run)
  }

  @Test("such a backup stays, however few are to stay, until its objects are put in")
  func clean() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk", "Report"))
    let recovery = try StoreRecovery(store: sample.store)
    _ = try recovery.clean(keep: .count(0))
    #expect(try backups(sample).count == 1)
    let all = RetrySample.computing("Milk", "Bread", "Report")
    #expect(try await sample.retry(all).outcome == .swapped)
    _ = try recovery.clean(keep: .count(0))
    #expect(try backups(sample).isEmpty)
  }

  @Test("objects that are given up wait no longer, and the store is still what the run made")
  func givenUp() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk"))
    try await sample.retry(RetrySample.computing("Milk", "Bread"))
    let recovery = try StoreRecovery(store: sample.store)
    let left = try recovery.clean(keep: .count(0)).left
    #expect(left.count == 2)
    #expect(left.first?.why.contains("clean --rejects") == true)
    #expect(try recovery.clean(keep: .count(9), givesUpRejects: true).givenUp == 1)
    #expect(try sample.waiting == 0)
    #expect(try await StoreVerification(store: sample.store).run().count == 0)
    let again = try await sample.retry(RetrySample.computing("Milk", "Bread", "Report"))
    #expect(again.outcome == .nothing && again.status == 0)
    #expect(try recovery.clean(keep: .count(0)).removed.count == 2)
  }

  @Test("while some objects wait, the backup of a retry stays, too: the next one begins with it")
  func twice() async throws {
    let sample = try RetrySample()
    try await sample.run(RetrySample.computing("Milk"))
    try await sample.retry(RetrySample.computing("Milk", "Bread"))
    _ = try StoreRecovery(store: sample.store).clean(keep: .count(0))
    #expect(try await sample.retry(RetrySample.computing("Milk", "Bread", "Report")).made == 1)
  }

  @Test("a later run leaves it, and warns before it begins that the objects cannot go in after it")
  func laterRun() async throws {
    let sample = try RetrySample()
    let first = try await sample.run(RetrySample.computing("Milk", "Report"))
    let later = try await runAgain(sample)
    let warning = try #require(later.warnings.first { $0.contains("waits to be retried") })
    #expect(warning.contains("Note 2") && warning.contains("pipeline retry "), "\(warning)")
    #expect(try backups(sample) == [first.run, later.run])
    #expect(try await runAgain(sample).warnings.isEmpty)
    #expect(try backups(sample).first == first.run)
    let summary = try await sample.retry()
    #expect(summary.outcome == .nothing && summary.left == 1)
    #expect(summary.status == 1)
    let left = try StoreRecovery(store: sample.store).clean(keep: .count(0)).left
    #expect(left.map(\.backup.run) == [first.run])
    #expect(left.first?.why.contains("cannot be put in any more") == true)
    #expect(summary.leftObjects.map { "\($0.entity) \($0.key)" } == ["Note 2"])
    let text = TextRetrySummary(summary, width: 300).text
    #expect(text.contains("Note 2") && text.contains("values and links: "), "\(text)")
  }

  @Test("one that a backup needs which stays, stays with it: who goes back can retry")
  func throughBackup() async throws {
    let sample = try RetrySample()
    let first = try await sample.run(RetrySample.computing("Milk", "Report"))
    #expect(try await sample.retry(RetrySample.computing("Milk", "Bread", "Report")).made == 1)
    let recovery = try StoreRecovery(store: sample.store)
    let before = try #require(try recovery.status().backups.last)
    #expect(before.run != first.run)
    let left = try recovery.clean(keep: .count(1)).left
    #expect(left.map(\.backup.run) == [first.run])
    #expect(left.first?.why.contains(before.path) == true, "\(left)")
    _ = try recovery.rollback()
    #expect(try sample.waiting == 1)
    #expect(try await sample.retry().made == 1)
    #expect(try sample.waiting == 0)
  }

  @Test("a backup that cannot be read just now may need all of them")
  func unreadable() async throws {
    let sample = try RetrySample()
    let first = try await sample.run(RetrySample.computing("Milk", "Report"))
    #expect(try await sample.retry(RetrySample.computing("Milk", "Bread", "Report")).made == 1)
    let recovery = try StoreRecovery(store: sample.store)
    let before = try #require(try recovery.status().backups.last)
    let main = URL(filePath: before.path).appending(path: "Notes.sqlite")
    let aside = main.appendingPathExtension("aside")
    try FileManager.default.moveItem(at: main, to: aside)
    _ = try recovery.clean(keep: .count(1))
    try FileManager.default.moveItem(at: aside, to: main)
    #expect(try backups(sample) == [first.run, before.run])
  }

  @Test("a run that is rolled back and done again leaves nothing that cannot be ended")
  func rolledBack() async throws {
    let sample = try RetrySample()
    let first = try await sample.run(RetrySample.computing("Milk", "Report"))
    let recovery = try StoreRecovery(store: sample.store)
    _ = try recovery.rollback()
    #expect(try sample.waiting == 0)
    let second = try await sample.run(RetrySample.computing("Milk", "Report"))
    #expect(try sample.waiting == 1)
    // The store that the first run made is in a backup, and its object waits for the first backup.
    _ = try recovery.clean(keep: .count(2))
    #expect(try backups(sample).contains(first.run))
    _ = try recovery.clean(keep: .count(0))
    #expect(try backups(sample) == [second.run])
    #expect(try await sample.retry(RetrySample.computing("Milk", "Bread", "Report")).made == 1)
    _ = try recovery.clean(keep: .count(0))
    #expect(try backups(sample).isEmpty)
  }

  @Test("backups of another store that stood at the same path stay, and are not counted")
  func otherStore() async throws {
    let sample = try RunSample()
    try await sample.run()
    let backup = try #require(try StoreRecovery(store: sample.store).status().backups.first)
    try SampleStore.change(
      sample.store, by: "UPDATE Z_METADATA SET Z_UUID = 'A0000000-0000-4000-8000-000000000001'")
    let plan = try sample.plan(Self.again, force: true)
    for _ in 0..<2 { try await sample.run(plan) }
    let recovery = try StoreRecovery(store: sample.store)
    #expect(try recovery.status().backups.count == 2)
    _ = try recovery.clean(keep: .count(0))
    #expect(try recovery.status().backups.map(\.path) == [backup.path])
  }
}
