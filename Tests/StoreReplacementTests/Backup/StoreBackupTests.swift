import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
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
      #expect(throws: Failure.self) { try backup.verify() }
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
    #expect(throws: Failure.self) { _ = try StoreBackup.read(backup.path) }
    try FileManager.default.removeItem(at: url)
    #expect(throws: Failure.self) { _ = try StoreBackup.read(backup.path) }
    #expect(try StoreBackup.list(sample.folder) == [])
  }

  @Test(
    "store, backup and new files keep permissions, owner and extended attributes",
    arguments: [SwapChoices.Method.replace, .rename])
  func attributes(method: SwapChoices.Method) throws {
    let sample = try SwapSample()
    let names = FileAttributeKey("NSFileExtendedAttributes")
    var given: [FileAttributeKey: Any] = [.posixPermissions: 0o640]
    // Only root gives files away.
    if geteuid() == 0 { (given[.ownerAccountID], given[.groupOwnerAccountID]) = (65534, 65534) }
    try FileManager.default.setAttributes(given, ofItemAtPath: sample.store)
    // Not every file system has them.
    try? FileManager.default.setAttributes(
      [names: ["user.pipeline": Data("word".utf8)]], ofItemAtPath: sample.store)
    func facts(_ path: String) throws -> [String] {
      let all = try FileManager.default.attributesOfItem(atPath: path)
      let extended = all[names] as? [String: Data] ?? [:]
      return [
        "\(all[.posixPermissions] ?? "")", "\(all[.ownerAccountID] ?? "")",
        "\(all[.groupOwnerAccountID] ?? "")", "\(extended["user.pipeline"]?.count ?? 0)",
      ]
    }
    let old = try facts(sample.store)
    #expect(old[0] == "416")
    let choices = SwapChoices(method: method, wait: SwapSample.wait)
    let backup = try StoreBackup.read(try #require(try sample.swap(choices).backup))
    let added = "\(sample.externals)/\(SwapSample.onlyNew)"
    for path in [sample.store, backup.mainPath, added] {
      #expect(try facts(path) == old, "\(path)")
    }
  }

  @Test(
    "only so many backups stay, or those of so many days",
    arguments: [
      (BackupsKept.count(1), 1), (.count(2), 2), (.count(9), 3), (.days(5), 3),
      (.none, 2),
    ])
  func keep(keep: BackupsKept, left: Int) throws {
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

  @Test("a manifest that a power cut has left alone takes no place, and goes with what is newer")
  func alone() throws {
    let (sample, backup) = try backup()
    func copy(_ name: String, after seconds: Double) throws -> String {
      let copy = "\(sample.folder.backups)/\(name)"
      try FileManager.default.copyItem(atPath: backup.path, toPath: copy)
      let date = Date().addingTimeInterval(seconds)
      try FileManager.default.setAttributes(
        [.modificationDate: date], ofItemAtPath: copy + "/manifest.json")
      return copy
    }
    func prune(_ count: Int) throws -> [String] {
      try StoreBackup.prune(sample.folder, keep: .count(count)).removed.map(\.path)
    }
    let later = try copy("later", after: 60)
    try FileManager.default.removeItem(atPath: later + "/a.sqlite")
    #expect(try StoreBackup.list(sample.folder).map(\.path) == [backup.path, later])
    #expect(try prune(1) == [])
    try backup.verify()
    let last = try copy("more", after: 120)
    #expect(try prune(2) == [])
    #expect(try prune(1) == [backup.path])
    #expect(try prune(0) == [later, last])
  }

  @Test("backups grow old, and one that is needed does not")
  func age() throws {
    let (sample, backup) = try backup()
    func prune(after days: Int, kept: Set<String>) throws -> [StoreBackup] {
      let now = Date().addingTimeInterval(Double(days) * 86_400)
      try StoreBackup.prune(sample.folder, keep: .days(5), kept: kept, now: now)
      return try StoreBackup.list(sample.folder)
    }
    #expect(try prune(after: 4, kept: []) == [backup])
    #expect(try prune(after: 6, kept: [backup.path]) == [backup])
    #expect(try prune(after: 6, kept: []) == [])
    #expect(!FileManager.default.fileExists(atPath: backup.path))
  }
}
