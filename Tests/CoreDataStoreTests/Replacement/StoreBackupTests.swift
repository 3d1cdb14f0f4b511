import CoreDataStore
import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Backups", .temporaryFolder) struct StoreBackupTests {
  private func backup() throws -> (SwapSample, StoreBackup) {
    let sample = try SwapSample()
    return (sample, try StoreBackup.read(try #require(try sample.swap().backup)))
  }

  @Test("a file that is missing, longer or other is found", arguments: 0..<3)
  func rotten(place: Int) throws {
    let (_, backup) = try backup()
    #expect(backup.files.count == 3)
    let url = URL(filePath: "\(backup.path)/\(backup.files[place].name)")
    let bytes = try Data(contentsOf: url)
    var other = bytes
    other[other.count / 2] ^= 1
    for change in [other, bytes + [0], nil] {
      try FileManager.default.removeItem(at: url)
      if let change { try change.write(to: url) }
      #expect(throws: StoreError.self) { try backup.verify() }
      if change == nil { try bytes.write(to: url) }
    }
    try backup.verify()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: backup.path).sorted() == [
        ".a_SUPPORT", "a.sqlite", "manifest.json",
      ])
  }

  @Test("a manifest that is missing or changed is no manifest")
  func manifest() throws {
    let (sample, backup) = try backup()
    let url = URL(filePath: backup.path + "/manifest.json")
    let text = try String(contentsOf: url, encoding: .utf8)
    try Data(text.replacing("a.sqlite", with: "../../x").utf8).write(to: url)
    #expect(throws: StoreError.self) { _ = try StoreBackup.read(backup.path) }
    try FileManager.default.removeItem(at: url)
    #expect(throws: StoreError.self) { _ = try StoreBackup.read(backup.path) }
    #expect(try StoreBackup.list(sample.folder) == [])
  }

  @Test("files keep their permissions and extended attributes")
  func attributes() throws {
    let sample = try SwapSample()
    let key = FileAttributeKey("NSFileExtendedAttributes")
    let names = ["user.pipeline": Data("word".utf8)]
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: sample.store)
    try? FileManager.default.setAttributes([key: names], ofItemAtPath: sample.store)
    let backup = try StoreBackup.read(try #require(try sample.swap().backup))
    let blob = "\(sample.externals)/\(SwapSample.onlyNew)"
    let old = try FileManager.default.attributesOfItem(atPath: sample.store)
    for path in [backup.mainPath, blob] {
      let new = try FileManager.default.attributesOfItem(atPath: path)
      #expect(new[.posixPermissions] as? Int == 0o640)
      #expect(new[key] as? [String: Data] == old[key] as? [String: Data])
    }
  }

  @Test(
    "only so many backups stay, or those of so many days",
    arguments: [
      (SwapChoices.BackupKeep.count(1), 1), (.count(2), 2), (.count(9), 3), (.days(5), 3),
      (.none, 2),
    ])
  func keep(keep: SwapChoices.BackupKeep, left: Int) throws {
    let (sample, backup) = try backup()
    let parent = sample.folder.backups
    try FileManager.default.copyItem(atPath: backup.path, toPath: parent + "/older")
    try FileManager.default.createDirectory(
      atPath: parent + "/mine", withIntermediateDirectories: false)
    let again = try SwapSample(of: sample.store)
    var state = try #require(try RunState.read(again.folder))
    state.source = try SourceSnapshot.make(again.folder).record
    state.phase = .copying
    try SwapSample.make(
      again.folder.nextPath, word: "new", rows: 340, run: SwapSample.run,
      blobs: [SwapSample.both, SwapSample.onlyNew])
    try StagedStore.seal(again.folder, &state)
    try again.swap(SwapChoices(backupKeep: keep))
    #expect(try StoreBackup.list(sample.folder).count == left)
    #expect(FileManager.default.fileExists(atPath: parent + "/mine"))
  }

  @Test("backups grow old, and one that is needed does not")
  func age() throws {
    let (sample, backup) = try backup()
    func prune(after days: Int, kept: String?) throws -> [StoreBackup] {
      let now = Date().addingTimeInterval(Double(days) * 86_400)
      try StoreBackup.prune(sample.folder, keep: .days(5), kept: kept, now: now)
      return try StoreBackup.list(sample.folder)
    }
    #expect(try prune(after: 4, kept: nil) == [backup])
    #expect(try prune(after: 6, kept: backup.path) == [backup])
    #expect(try prune(after: 6, kept: nil) == [])
    #expect(!FileManager.default.fileExists(atPath: backup.path))
  }

  @Test("the command that restores one can be copied into a shell")
  func command() throws {
    let sample = try SwapSample("it's here.sqlite")
    let backup = try StoreBackup.read(try #require(try sample.swap().backup))
    #expect(backup.restoreCommand.hasPrefix("pipeline restore '"))
    #expect(backup.restoreCommand.hasSuffix("/it'\\''s here.sqlite'"))
  }
}
