import CoreDataStore
import Formats
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Backups and states as JSON", .temporaryFolder)
struct JSONRecoveryTests {
  private func decode(_ text: String) throws -> JSONValue {
    try JSONValue(
      reading: Array(text.utf8), limits: FormatLimits(bytes: 1 << 20, nodes: 10_000, depth: 8))
  }

  @Test("a backup that is not what was copied is damaged, in words and as JSON")
  func damaged() async throws {
    let sample = try RunSample()
    let backup = try #require(try await sample.run().backup)
    try StoreRows.change("DELETE FROM ZNOTE", at: "\(backup)/Notes.sqlite")
    let found = try StoreRecovery(store: sample.store).status(verifies: true)
    #expect(found.backups.map(\.isDamaged) == [true])
    let status = try decode(JSONRecovery.status(found))
    #expect(status["backups"]?.array?.first?["damaged"] == .bool(true))
    #expect(status["backups"]?.array?.first?["verified"] == .bool(false))
  }

  @Test("the documents have what programs rely on")
  func documents() async throws {
    let sample = try RunSample()
    let place = sample.path("kept")
    let made = try StoreRecovery.backUp([sample.store], to: place)
    let backups = try decode(JSONRecovery.backups(made, at: place))
    #expect(backups["format"]?.integer == 1)
    #expect(backups["backups"]?.array?.first?["path"]?.string == made[0].path)
    #expect(backups["backups"]?.array?.first?["bytes"]?.integer == made[0].bytes)

    try await sample.run()
    let recovery = try StoreRecovery(store: sample.store)
    let status = try decode(JSONRecovery.status(recovery.status(verifies: true)))
    #expect(
      status.members?.map(\.name) == [
        "format", "store", "work", "run", "kind", "phase", "running", "step", "stage", "entity",
        "rows", "total", "started", "resumable", "changed", "command", "failed", "problem",
        "backups", "rejected", "rejects",
      ])
    #expect(status["backups"]?.array?.first?["verified"] == .bool(true))
    #expect(status["backups"]?.array?.first?["damaged"] == .bool(false))
    #expect(status["resumable"] == .bool(false))

    let rollback = try recovery.rollback()
    let restore = try decode(JSONRecovery.restore([rollback]))
    #expect(restore["restored"]?["path"]?.string == rollback.backup.path)
    #expect(restore["backup"]?.string == rollback.replaced)
    let abandon = try decode(JSONRecovery.abandon(recovery.abandon()))
    #expect(abandon["outcome"]?.string == "over")
    let clean = try decode(
      JSONRecovery.clean(recovery.clean(keep: .count(1))))
    #expect(clean["removed"]?.array?.count == 1)
    #expect(clean["bytes"]?.integer != 0)
  }
}
