import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import TestSupport
import Testing

@Suite("Restoring", .temporaryFolder) struct StoreRestoreTests {
  /// A store that was swapped, and the backup of what it was.
  private func swapped(
    _ name: String = "a.sqlite", journal: String = "DELETE", pageSize: Int = 4096
  ) throws -> (SwapSample, StoreBackup, old: PageImage) {
    let sample = try SwapSample(name, journal: journal, pageSize: pageSize)
    let old = try sample.image()
    let backup = try StoreBackup.read(try #require(try sample.swap().backup))
    return (sample, backup, old)
  }

  private static func restore(
    _ backup: StoreBackup, _ store: String, progress: SwapProgress = { _ in }
  ) throws -> (backup: String?, warnings: [String]) {
    try StoreRestore(backup, to: WorkFolder.of(store), wait: SwapSample.wait)
      .run("restore", tool: "1", progress: progress)
  }

  @Test(
    "the old store comes back, page for page, with its large values",
    arguments: [
      ("a.sqlite", "DELETE", 2048), ("a.sqlite", "WAL", 4096), ("a b.sqlite", "DELETE", 4096),
      ("it's \"q\".sqlite", "WAL", 2048), ("two\nlines.sqlite", "DELETE", 4096),
      ("🦆/ü?#%41.sqlite", "WAL", 4096),
    ])
  func wayBack(name: String, journal: String, pageSize: Int) throws {
    let (sample, backup, old) = try swapped(name, journal: journal, pageSize: pageSize)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: sample.store)
    let new = try sample.image()
    let result = try Self.restore(backup, sample.store)
    #expect(result.warnings == [])
    #expect(try sample.image() == old)
    #expect(try sample.content() == "old")
    #expect(try DatabaseFile.examine(sample.store).header.isWAL == (journal == "WAL"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: sample.externals).sorted() == [
        SwapSample.both, SwapSample.onlyOld,
      ])
    let mode = try FileManager.default.attributesOfItem(atPath: sample.store)[.posixPermissions]
    #expect(mode as? Int == 0o640)
    // And forth again.
    let forth = try StoreBackup.read(try #require(result.backup))
    #expect(forth.image == new)
    #expect(try Self.restore(forth, sample.store).warnings == [])
    #expect(try sample.image() == new)
    #expect(try sample.content() == "new")
  }

  @Test("dies in the middle of a page behind the old end: the same command finishes")
  func torn() async throws {
    let (sample, backup, old) = try swapped()
    let new = try sample.image()
    let forth = try #require(try Self.restore(backup, sample.store).backup)
    let length = try DatabaseFile.examine(sample.store).size
    await #expect(processExitsWith: .signal(SIGXFSZ)) {
      [path = forth as String, store = sample.store as String, limit = Int(length) + 2048 as Int] in
      _ = try Self.restore(StoreBackup.read(path), store) {
        if $0 == .replace { FileLimit.set(limit) }
      }
    }
    #expect(try DatabaseFile.examine(sample.store).size == length + 2048)
    let copy = try TemporaryClone(of: StoreFiles(sample.store))
    let connection = try Connection(path: copy.path, mode: .foreignWritable)
    #expect(try connection.pageImage() == old)
    try connection.close()
    #expect(try Self.restore(StoreBackup.read(forth), sample.store).warnings == [])
    #expect(try sample.image() == new)
    #expect(try sample.content() == "new")
  }

  @Test("a link to the store stays a link")
  func link() throws {
    let (sample, backup, old) = try swapped("real/a.sqlite")
    let link = samplePath("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: sample.store)
    _ = try Self.restore(backup, link)
    #expect(try sample.image() == old)
    let type = try FileManager.default.attributesOfItem(atPath: link)[.type] as? FileAttributeType
    #expect(type == .typeSymbolicLink)
  }

  @Test("a store that is not there is made again", arguments: ["DELETE", "WAL"])
  func missing(journal: String) throws {
    let (sample, backup, old) = try swapped(journal: journal)
    let place = samplePath("else where/b.sqlite")
    try FileManager.default.createDirectory(
      atPath: samplePath("else where"), withIntermediateDirectories: false)
    #expect(try Self.restore(backup, place).backup == nil)
    let other = try SwapSample(of: place)
    #expect(try other.image() == old)
    #expect(try other.content() == "old")
    #expect(try DatabaseFile.examine(place).header.isWAL == (journal == "WAL"))
    #expect(!FileManager.default.fileExists(atPath: other.folder.path))
    #expect(try sample.content() == "new")
  }

  @Test("what a restore has made is recognized by its pages and its large values")
  func recognized() throws {
    let (sample, backup, _) = try swapped()
    let place = samplePath("b.sqlite")
    _ = try Self.restore(backup, place)
    let other = try SwapSample(of: place)
    #expect(try StoreOutput.isPlaced(backup, at: place, in: sample.folder))
    #expect(try !StoreOutput.isPlaced(backup, at: sample.store, in: sample.folder))
    let value = "\(other.externals)/\(SwapSample.onlyOld)"
    try FileManager.default.moveItem(atPath: value, toPath: samplePath("value"))
    #expect(try !StoreOutput.isPlaced(backup, at: place, in: sample.folder))
    try Data("other".utf8).write(to: URL(filePath: value))
    #expect(try !StoreOutput.isPlaced(backup, at: place, in: sample.folder))
    try FileManager.default.removeItem(atPath: value)
    try FileManager.default.moveItem(atPath: samplePath("value"), toPath: value)
    #expect(try StoreOutput.isPlaced(backup, at: place, in: sample.folder))
    let app = try Connection(path: place, mode: .own(create: false))
    try app.execute("UPDATE ZPERSON SET Z_OPT = 9 WHERE Z_PK = 3")
    try app.close()
    #expect(try !StoreOutput.isPlaced(backup, at: place, in: sample.folder))
  }

  @Test("a -wal of a store that is gone is not taken for the new one's")
  func leftLog() throws {
    let (_, backup, _) = try swapped()
    let place = samplePath("b.sqlite")
    try Data("log".utf8).write(to: URL(filePath: place + "-wal"))
    let error = #expect(throws: Failure.self) { _ = try Self.restore(backup, place) }
    #expect(error?.subject.hasSuffix("b.sqlite-wal") == true)
    #expect(!FileManager.default.fileExists(atPath: place))
  }

  @Test("a backup that does not verify is not restored", arguments: 0..<3)
  func rotten(file: Int) throws {
    let (sample, backup, _) = try swapped()
    let url = URL(filePath: "\(backup.path)/\(backup.files[file].name)")
    var bytes = try Data(contentsOf: url)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: url)
    let before = try sample.image()
    for store in [sample.store, samplePath("b.sqlite")] {
      let error = #expect(throws: Failure.self) { _ = try Self.restore(backup, store) }
      #expect(error?.kind == .unusable)
    }
    #expect(try sample.image() == before)
    #expect(try sample.content() == "new")
    #expect(!FileManager.default.fileExists(atPath: samplePath("b.sqlite")))
  }

  @Test("a store that cannot be locked because it is no database any more says what to do")
  func destroyed() throws {
    let (sample, backup, old) = try swapped()
    try Data("gone".utf8).write(to: URL(filePath: sample.store))
    let error = #expect(throws: Failure.self) { _ = try Self.restore(backup, sample.store) }
    #expect(error?.remedy.contains("Move it away") == true)
    try FileManager.default.moveItem(atPath: sample.store, toPath: samplePath("away"))
    _ = try Self.restore(backup, sample.store)
    #expect(try sample.image() == old)
  }

  @Test("a store that is damaged inside can be restored, and what was there is kept")
  func damaged() throws {
    let (sample, backup, old) = try swapped()
    var bytes = try Data(contentsOf: URL(filePath: sample.store))
    for index in 8192..<12_288 { bytes[index] = 0xa5 }
    try bytes.write(to: URL(filePath: sample.store))
    let result = try Self.restore(backup, sample.store)
    #expect(try sample.image() == old)
    let kept = try StoreBackup.read(try #require(result.backup))
    #expect(try Data(contentsOf: URL(filePath: kept.mainPath)) == bytes)
  }

  @Test(
    "dies before any step: the store is whole, and the same command finishes",
    arguments: [SwapStep.backup, .replace, .check, .drop])
  func death(step: SwapStep) async throws {
    let (sample, backup, old) = try swapped(journal: "WAL")
    await #expect(processExitsWith: .exitCode(9)) {
      [
        store = sample.store as String, backup = backup.path as String,
        step = step.rawValue as String
      ] in
      _ = try StoreRestore(
        StoreBackup.read(backup), to: WorkFolder.of(store), wait: SwapSample.wait
      )
      .run("restore", tool: "1") { if $0.rawValue == step { _exit(9) } }
    }
    let isBefore = [.backup, .replace].contains(step)
    #expect(try sample.content() == (isBefore ? "new" : "old"))
    #expect(try Self.restore(backup, sample.store).warnings == [])
    #expect(try sample.image() == old)
    #expect(try sample.content() == "old")
  }

  @Test("dies after the exchange, then the application writes: its rows stay")
  func usedMeanwhile() async throws {
    let (sample, backup, _) = try swapped()
    await #expect(processExitsWith: .exitCode(9)) {
      [store = sample.store as String, backup = backup.path as String] in
      _ = try StoreRestore(
        StoreBackup.read(backup), to: WorkFolder.of(store), wait: SwapSample.wait
      )
      .run("restore", tool: "1") { if $0 == .journal { _exit(9) } }
    }
    let app = try Connection(path: sample.store, mode: .own(create: false))
    try app.execute("UPDATE ZPERSON SET Z_OPT = 9 WHERE Z_PK = 3")
    try app.close()
    #expect(try Self.restore(backup, sample.store).warnings == [])
    let store = try Store(sample.store)
    #expect(try store.connection.integer("SELECT Z_OPT FROM ZPERSON WHERE Z_PK = 3") == 9)
  }

  @Test("a run that was cut short in its swap is given up, and leaves nothing next to the store")
  func interruptedRun() async throws {
    let sample = try SwapSample()
    let backup = samplePath("kept")
    _ = try BackupSet.make(
      of: [StoreFiles(sample.store)], at: backup, run: "b", wait: SwapSample.wait)
    await #expect(processExitsWith: .exitCode(9)) { [store = sample.store as String] in
      try SwapSample(of: store).swap { if $0 == .replace { _exit(9) } }
    }
    let added = "\(sample.externals)/\(SwapSample.onlyNew)"
    #expect(FileManager.default.fileExists(atPath: added))
    _ = try Self.restore(StoreBackup.read(backup), sample.store)
    #expect(try sample.content() == "old")
    #expect(!FileManager.default.fileExists(atPath: added))
    #expect(try RunState.read(sample.folder)?.phase == .done)
  }
}
