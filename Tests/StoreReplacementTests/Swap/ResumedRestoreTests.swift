import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

/// What `resume` does with a restore that was cut short, and the same command given again.
@Suite("A restore that is resumed", .temporaryFolder) struct ResumedRestoreTests {
  /// A store that an application has changed since it was backed up, and no run has touched.
  private static func backedUp() throws -> (store: String, backup: StoreBackup) {
    let sample = try SwapSample()
    try sample.folder.removeRun()
    let place = samplePath("kept")
    _ = try BackupSet.make(
      of: [StoreFiles(sample.store)], at: place, run: "b", wait: SwapSample.wait)
    try StoreRows.change("UPDATE ZPERSON SET Z_OPT = 7 WHERE Z_PK = 3", at: sample.store)
    return (sample.store, try StoreBackup.read(place))
  }

  /// Kills a restore before a step of the swap.
  private static func die(_ store: String, _ backup: String, before step: SwapStep) async {
    await #expect(processExitsWith: .exitCode(9)) {
      [store = store as String, backup = backup as String, step = step.rawValue as String] in
      _ = try StoreRestore(
        StoreBackup.read(backup), to: WorkFolder.of(store), wait: SwapSample.wait
      )
      .run("first", tool: "1") { if $0.rawValue == step { _exit(9) } }
    }
  }

  private static func restore(
    _ store: String, _ backup: StoreBackup, resuming resumed: String? = nil
  ) throws -> (backup: String?, warnings: [String]) {
    try StoreRestore(
      backup, to: WorkFolder.of(store), resuming: resumed, wait: SwapSample.wait
    ).run("second", tool: "1")
  }

  private static func value(_ store: String) throws -> [String] {
    try StoreRows.read("SELECT Z_OPT FROM ZPERSON WHERE Z_PK = 3", at: store)
  }

  @Test("before or after the exchange: it is finished", arguments: [SwapStep.replace, .check])
  func finished(step: SwapStep) async throws {
    let (store, backup) = try Self.backedUp()
    await Self.die(store, backup.path, before: step)
    #expect(try Self.restore(store, backup, resuming: "first").warnings == [])
    #expect(try Self.value(store) == ["1"])
  }

  @Test(
    "in the middle of the exchange, then the application writes: its rows stay, and it ends with 5"
  )
  func writtenSince() async throws {
    let (store, backup) = try Self.backedUp()
    await Self.die(store, backup.path, before: .check)
    try StoreRows.change("UPDATE ZPERSON SET Z_OPT = 9 WHERE Z_PK = 3", at: store)
    let error = #expect(throws: Failure.self) {
      _ = try Self.restore(store, backup, resuming: "first")
    }
    #expect(error?.kind == .busy)
    #expect(error?.remedy.contains("pipeline abandon") == true, "\(error?.remedy ?? "")")
    #expect(try Self.value(store) == ["9"])
    // What was there before is in another backup, for those who want it back.
    let kept = try #require(try Self.restore(store, backup).backup)
    #expect(try Self.value(store) == ["1"])
    #expect(try Self.value(StoreBackup.read(kept).mainPath) == ["9"])
  }

  @Test("behind the exchange, then the application writes: the command itself puts the backup back")
  func restoredOnceMore() async throws {
    let sample = try SwapSample()
    let backup = try StoreBackup.read(try #require(try sample.swap().backup))
    await Self.die(sample.store, backup.path, before: .clean)
    let rows = "SELECT count(*) FROM ZPERSON"
    let before = try StoreRows.read(rows, at: sample.store)
    try StoreRows.change("DELETE FROM ZPERSON WHERE Z_PK = 3", at: sample.store)
    let changed = try StoreRows.read(rows, at: sample.store)
    let kept = try #require(try Self.restore(sample.store, backup).backup)
    #expect(try StoreRows.read(rows, at: sample.store) == before)
    #expect(try StoreRows.read(rows, at: StoreBackup.read(kept).mainPath) == changed)
  }

  @Test("of a store that was replaced since: the store stays, and nothing is left to resume")
  func replacedSince() async throws {
    let sample = try SwapSample()
    let backup = try StoreBackup.read(try #require(try sample.swap().backup))
    await Self.die(sample.store, backup.path, before: .drop)
    // The user puts another store there that no restore has made.
    var state = try #require(try RunState.read(sample.folder))
    state.phase = .swapped
    try state.write(sample.folder)
    try FileManager.default.removeItem(atPath: sample.store)
    try SwapSample.make(sample.store, word: "new", rows: 340, run: "another", blobs: [])
    let error = #expect(throws: Failure.self) {
      _ = try Self.restore(sample.store, backup, resuming: "first")
    }
    #expect(error?.kind == .busy)
    #expect(error?.why.contains("does not carry the run's mark") == true)
    #expect(try StoreRows.read("SELECT count(*) FROM ZPERSON", at: sample.store) == ["340"])
    #expect(try RunState.read(sample.folder)?.phase == .done)
  }

  @Test("of a store that is gone: none is made")
  func storeGone() async throws {
    let (store, backup) = try Self.backedUp()
    await Self.die(store, backup.path, before: .replace)
    try FileManager.default.removeItem(atPath: store)
    #expect(throws: Failure.self) { _ = try Self.restore(store, backup, resuming: "first") }
    #expect(!FileManager.default.fileExists(atPath: store))
  }

  @Test("cleaning leaves it the backup that it puts back, and the one it has made")
  func cleaned() async throws {
    let sample = try SwapSample()
    let backup = try StoreBackup.read(try #require(try sample.swap().backup))
    await Self.die(sample.store, backup.path, before: .check)
    let old = try StoreBackup.list(sample.folder)
    #expect(old.count == 2)
    #expect(try StoreBackup.clean(sample.folder, keep: .count(1)).removed == [])
    #expect(try StoreBackup.list(sample.folder).map(\.path) == old.map(\.path))
    #expect(try Self.restore(sample.store, backup, resuming: "first").warnings == [])
    #expect(try sample.content() == "old")
    // Once it is over, it stands in the way no more.
    #expect(try StoreBackup.clean(sample.folder, keep: .count(1)).removed.count == 1)
  }

  @Test("cleaning leaves a retry that was cut short all backups")
  func cleanedRetry() async throws {
    let sample = try SwapSample()
    let backup = try StoreBackup.read(try #require(try sample.swap().backup))
    await Self.die(sample.store, backup.path, before: .check)
    var state = try #require(try RunState.read(sample.folder))
    (state.work, state.restored) = (.retry, nil)
    try state.write(sample.folder)
    #expect(try StoreBackup.clean(sample.folder, keep: .count(1)).removed == [])
    #expect(try StoreBackup.list(sample.folder).count == 2)
  }

  @Test(
    "another backup in the place of the one that was being put back is refused, with what to do")
  func otherBackup() async throws {
    let (store, backup) = try Self.backedUp()
    await Self.die(store, backup.path, before: .backup)
    let place = samplePath("other")
    _ = try BackupSet.make(of: [StoreFiles(store)], at: place, run: "c", wait: SwapSample.wait)
    let error = #expect(throws: Failure.self) {
      _ = try Self.restore(store, StoreBackup.read(place), resuming: "first")
    }
    #expect(error?.why.contains("made again") == true, "\(error?.description ?? "")")
    #expect(try Self.value(store) == ["7"])
    #expect(try Self.restore(store, backup, resuming: "first").warnings == [])
  }

  @Test("a large value that is damaged in its place is replaced, and kept in the backup")
  func damagedValue() throws {
    let (store, backup) = try Self.backedUp()
    let place = "\(try StoreFiles(store).externalDataFolder)/\(SwapSample.both)"
    try Data("half".utf8).write(to: URL(filePath: place))
    let kept = try #require(try Self.restore(store, backup).backup)
    #expect(
      try Data(contentsOf: URL(filePath: place)) == Data("content of \(SwapSample.both)".utf8))
    let other = try StoreFiles(StoreBackup.read(kept).mainPath).externalDataFolder
    #expect(
      try Data(contentsOf: URL(filePath: "\(other)/\(SwapSample.both)")) == Data("half".utf8))
  }

  @Test("what is no file in the place of a large value is named, with what to do")
  func noFile() throws {
    let (store, backup) = try Self.backedUp()
    let place = "\(try StoreFiles(store).externalDataFolder)/\(SwapSample.both)"
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    let error = #expect(throws: Failure.self) { _ = try Self.restore(store, backup) }
    #expect(error?.remedy.contains("Move \(ShellWord.quoted(place)) away") == true)
    #expect(try Self.value(store) == ["7"])
    try FileManager.default.removeItem(atPath: place)
    #expect(try Self.restore(store, backup).warnings == [])
    #expect(try Self.value(store) == ["1"])
  }

  @Test("a file of the user's whose name ends in .part stays")
  func partialFile() throws {
    let (store, backup) = try Self.backedUp()
    try Data("mine".utf8).write(to: URL(filePath: store + ".part"))
    _ = try Self.restore(store, backup)
    #expect(try Data(contentsOf: URL(filePath: store + ".part")) == Data("mine".utf8))
  }
}
