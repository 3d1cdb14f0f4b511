import CoreDataStore
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Clones to look at", .temporaryFolder) struct TemporaryCloneTests {
  private func clones() throws -> String {
    let path = samplePath("clones")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test("a clone has the bytes of all its files, is nobody else's, and goes with its owner")
  func copy() throws {
    let path = try StoreSample.make()
    for suffix in ["-wal", "-journal", "-shm"] {
      try Data(suffix.utf8).write(to: URL(filePath: path + suffix))
    }
    let folder = try clones()
    do {
      let clone = try TemporaryClone(of: StoreFiles(path), in: folder)
      for suffix in ["", "-wal", "-journal"] {
        #expect(
          FileManager.default.contentsEqual(atPath: path + suffix, andPath: clone.path + suffix))
      }
      #expect(!FileManager.default.fileExists(atPath: clone.path + "-shm"))
      let own = URL(filePath: clone.path).deletingLastPathComponent().path
      let mode = try FileManager.default.attributesOfItem(atPath: own)[.posixPermissions] as? Int
      #expect(mode == 0o700)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test("a store that went away leaves no clone behind")
  func missing() throws {
    let path = try StoreSample.make()
    let files = try StoreFiles(path)
    try FileManager.default.removeItem(atPath: path)
    let folder = try clones()
    #expect(throws: Failure.self) { _ = try TemporaryClone(of: files, in: folder) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test("a folder that is not there is the machine's refusal")
  func noFolder() throws {
    let files = try StoreFiles(StoreSample.make())
    let error = #expect(throws: Failure.self) {
      _ = try TemporaryClone(of: files, in: samplePath("nowhere"))
    }
    #expect(error?.kind == .refused)
    #expect(error?.remedy.contains("TMPDIR") == true)
  }

  @Test(
    "a store in a folder that cannot be written is read on a clone",
    .enabled(
      if: !FileManager.default.isWritableFile(atPath: "/"), "root can write everywhere: skipped"))
  func readOnlyFolder() throws {
    let folder = samplePath("locked")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = "\(folder)/a.sqlite"
    try FileManager.default.moveItem(atPath: StoreSample.make(), toPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    }
    let before = try FolderState()
    let store = try Store(path)
    #expect(store.isClone)
    #expect(try store.connection.integer("SELECT count(*) FROM ZPERSON") == 3)
    #expect(try FolderState() == before)
  }
}
