import CoreDataStore
import Foundation
import StorePipeline
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("What a run's state says, and what the store shows", .temporaryFolder)
struct RunEvidenceTests {
  /// A sample whose run was killed after its swap, and whose user put the old store back.
  private func putBack(phase: RunState.Phase = .swapped) async throws -> (RunSample, RunSummary) {
    let sample = try RunSample()
    let summary = try await sample.run()
    try Self.setPhase(phase, of: sample.store)
    let old = try Data(contentsOf: URL(filePath: "\(#require(summary.backup))/Notes.sqlite"))
    try old.write(to: URL(filePath: sample.store))
    return (sample, summary)
  }

  @Test("a run starts over, and says why, when the store is not the one it put in place")
  func startsOver() async throws {
    let (sample, first) = try await putBack()
    let summary = try await sample.run()
    #expect(summary.outcome == .swapped)
    #expect(summary.run != first.run)
    #expect(summary.warnings.contains { $0.contains(first.run) && $0.contains("starts over") })
    #expect(try sample.version() == "Notes 2")
  }

  @Test("a run that the store shows to be in place is finished, in use by an application or not")
  func finishes() async throws {
    let sample = try RunSample()
    let first = try await sample.run()
    try Self.setPhase(.swapped, of: sample.store)
    try StoreRows.change("UPDATE ZNOTE SET ZTITLE = 'Later' WHERE Z_PK = 1", at: sample.store)
    let summary = try await sample.run()
    #expect(summary.run == first.run)
    #expect(summary.warnings.isEmpty)
    #expect(
      try StoreRows.read("SELECT ZTITLE FROM ZNOTE WHERE Z_PK = 1", at: sample.store) == ["Later"])
  }

  @Test("status and abandon report it, too")
  func reported() async throws {
    let (sample, first) = try await putBack()
    let recovery = try StoreRecovery(store: sample.store)
    let status = try recovery.status()
    #expect(status.problem?.contains(first.run) == true)
    #expect(try recovery.changes(since: nil) == ["store"])
    let summary = try recovery.abandon()
    #expect(summary.outcome == .abandoned)
    #expect(summary.warnings.contains { $0.contains(first.run) })
    #expect(try sample.version() == "Notes")
  }

  @Test("a rollback that was cut short starts over when the store is another one by now")
  func rollback() async throws {
    let sample = try RunSample()
    try await sample.run()
    let new = try sample.bytes()
    let recovery = try StoreRecovery(store: sample.store)
    _ = try recovery.rollback()
    try Self.setPhase(.swapped, of: sample.store)
    try new.write(to: URL(filePath: sample.store))
    let summary = try recovery.rollback()
    #expect(summary.warnings.contains { $0.contains("starts over") })
    #expect(try sample.version() == "Notes")
  }

  @Test("a rollback leaves a store alone that another run has changed since it looked")
  func overtakenRollback() async throws {
    let sample = try RunSample()
    let first = try await sample.run()
    let backup = try StoreBackup.read(#require(first.backup))
    let folder = try WorkFolder(store: sample.store)
    try await sample.run(sample.plan(force: true, to: "Notes 2"))
    let before = try StoreRows.tables(at: sample.store)
    let error = #expect(throws: Failure.self) {
      try StoreRestore(backup, to: folder, undoing: first.run).run("late", tool: "test")
    }
    #expect(error?.kind == .busy)
    #expect(try StoreRows.tables(at: sample.store) == before)
    // It leaves nothing behind that would be in the way of the next one.
    #expect(try StoreRestore.interrupted(folder) == nil)
    _ = try StoreRecovery(store: sample.store).rollback()
    #expect(try sample.version() == "Notes 2")
    _ = try StoreRecovery(store: sample.store).rollback()
    #expect(try sample.version() == "Notes")
  }

  @Test("a rollback whose store was replaced while it was cut short is no more in the way")
  func staleRollback() async throws {
    let sample = try RunSample()
    let first = try await sample.run()
    let folder = try WorkFolder(store: sample.store)
    var state = try #require(try RunState.read(folder))
    let backup = try StoreBackup.read(#require(first.backup))
    (state.work, state.phase, state.undone) = (.restore, .copying, "another run")
    state.restored = backup.digest
    try state.write(folder)
    let error = #expect(throws: Failure.self) {
      try StoreRecovery(store: sample.store).rollback()
    }
    #expect(error?.kind == .busy)
    #expect(try sample.version() == "Notes 2")
    _ = try StoreRecovery(store: sample.store).restore(backup.path)
    #expect(try sample.version() == "Notes")
  }

  @Test("a restore that is given again after the application has worked restores once more")
  func restoredTwice() async throws {
    let sample = try RunSample()
    let backup = try #require(try await sample.run().backup)
    let recovery = try StoreRecovery(store: sample.store)
    _ = try recovery.restore(backup)
    try Self.setPhase(.swapped, of: sample.store)
    try StoreRows.change("UPDATE ZNOTE SET ZTITLE = 'written since'", at: sample.store)
    _ = try recovery.restore(backup)
    #expect(
      try StoreRows.read(
        "SELECT count(*) FROM ZNOTE WHERE ZTITLE = 'written since'", at: sample.store)
        == ["0"])
  }

  @Test("a restore that is resumed keeps what the application wrote, and is resumed once")
  func resumedRestore() async throws {
    let sample = try RunSample()
    let backup = try #require(try await sample.run().backup)
    var recovery = try StoreRecovery(store: sample.store)
    _ = try recovery.restore(backup)
    try Self.setPhase(.swapped, of: sample.store)
    try StoreRows.change("UPDATE ZNOTE SET ZTITLE = 'written since'", at: sample.store)
    recovery.resumed = try RunState.read(WorkFolder(store: sample.store))?.run
    let before = try StoreRows.tables(at: sample.store)
    _ = try recovery.restore(backup)
    #expect(try StoreRows.tables(at: sample.store) == before)
    let error = #expect(throws: Failure.self) { try recovery.restore(backup) }
    #expect(error?.kind == .busy)
    #expect(try StoreRows.tables(at: sample.store) == before)
  }

  @Test("a rollback goes one run back though a restore has not cleaned up after itself")
  func rollbackAfterRestore() async throws {
    let sample = try RunSample()
    try await sample.run()
    let backup = try #require(
      try await sample.run(sample.plan(force: true, to: "Notes 2")).backup)
    let recovery = try StoreRecovery(store: sample.store)
    _ = try recovery.restore(backup)
    try Self.setPhase(.swapped, of: sample.store)
    _ = try recovery.rollback()
    #expect(try sample.version() == "Notes")
  }

  @Test("where nothing is left to do, a run that the store does not show is dismissed")
  func dismissed() async throws {
    let sample = try RunSample()
    let first = try await sample.run()
    try await sample.run(sample.plan(force: true, to: "Notes 2"))
    let folder = try WorkFolder(store: sample.store)
    var state = try #require(try RunState.read(folder))
    (state.phase, state.mark, state.oldMark) = (.swapped, "another", first.run)
    try state.write(folder)
    let summary = try await sample.run()
    #expect(summary.outcome == .upToDate)
    #expect(summary.warnings.contains { $0.hasSuffix("Nothing is left to do.") })
    #expect(try RunState.read(folder)?.phase == .done)
  }

  @Test("a state of another store is busy while a process is at work, and unusable without one")
  func workOfAnother() async throws {
    let sample = try RunSample()
    try await sample.run(nil, RunOptions(until: "copy"))
    let folder = try WorkFolder(store: sample.store)
    var state = try #require(try RunState.read(folder))
    // Something is there: the folder was not moved along with its store.
    state.store = sample.path("Other.sqlite")
    try FileManager.default.copyItem(atPath: sample.store, toPath: state.store)
    try state.write(folder)
    let lock = try RunLock(folder)
    let busy = #expect(throws: Failure.self) { try RunState.look(at: folder) }
    lock.unlock()
    let unusable = #expect(throws: Failure.self) { try RunState.look(at: folder) }
    #expect(busy?.kind == .busy)
    #expect(unusable?.kind == .unusable)
  }

  private static func setPhase(_ phase: RunState.Phase, of store: String) throws {
    let folder = try WorkFolder(store: store)
    var state = try #require(try RunState.read(folder))
    state.phase = phase
    try state.write(folder)
  }

  @Test("numbers of a forged state that add up to none are no state")
  func forgedNumbers() async throws {
    let sample = try RunSample()
    try await sample.run(nil, RunOptions(until: "copy"))
    let folder = try WorkFolder(store: sample.store)
    var state = try #require(try RunState.read(folder))
    for (step, steps) in [(Int.max, Int.max), (2, 1), (-1, 1)] {
      (state.step, state.steps) = (step, steps)
      try state.write(folder)
      #expect(throws: Failure.self) { try RunState.read(folder) }
    }
  }

  @Test(
    "a forged state leads nowhere outside the work folder",
    arguments: ["../../evil", "/tmp/evil/x", "..", "a/../../../evil", ""])
  func forged(path: String) async throws {
    let sample = try RunSample()
    try await sample.run(nil, RunOptions(until: "copy"))
    let folder = try WorkFolder(store: sample.store)
    var state = try #require(try RunState.read(folder))
    state.backup = RunState.BackupRecord(path: path, manifest: "00")
    try state.write(folder)
    let read = try? RunState.read(folder)
    if let backup = read?.backup {
      #expect(URL(filePath: backup.path).deletingLastPathComponent().path == folder.backups)
      #expect(URL(filePath: backup.path).standardized.path == backup.path)
    }
    state.backup = nil
    state.run = path
    try state.write(folder)
    let error = #expect(throws: Failure.self) { try RunState.read(folder) }
    #expect(error?.kind == .unusable)
  }
}
