import Foundation
import OperatingSystem
import SQLite
@testable import StoreReplacement
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("A store that is locked", .temporaryFolder) struct LockedStoreTests {
  @Test("nobody else reads or writes until it is closed", arguments: ["DELETE", "WAL"])
  func locks(journal: String) async throws {
    let sample = try SwapSample(journal: journal)
    let store = try LockedStore(sample.folder, wait: SwapSample.wait)
    await #expect(processExitsWith: .exitCode(2)) { [path = sample.store as String] in
      var refused: Int32 = 0
      for sql in ["SELECT * FROM ZPERSON", "UPDATE ZPERSON SET Z_OPT = 9"] {
        do {
          try Connection(path: path, mode: .own(create: false)).execute(sql)
        } catch let error as SQLiteError where error.isBusy {
          refused += 1
        }
      }
      exit(refused)
    }
    try store.close()
    let app = try Connection(path: sample.store, mode: .own(create: false))
    try app.execute("UPDATE ZPERSON SET Z_OPT = 9")
    try app.close()
    #expect(try DatabaseFile.examine(sample.store).header.isWAL == (journal == "WAL"))
  }

  @Test("a copy has the attributes of its file, and the locks stay") func copies() async throws {
    let sample = try SwapSample()
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: sample.store)
    let store = try LockedStore(sample.folder, wait: SwapSample.wait)
    let copy = samplePath("copy.sqlite")
    try store.clone(to: copy)
    try store.copyAttributes(to: copy)
    let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions]
    #expect(mode as? Int == 0o640)
    await #expect(processExitsWith: .exitCode(5)) { [path = sample.store as String] in
      do {
        try Connection(path: path, mode: .own(create: false)).execute("SELECT * FROM ZPERSON")
      } catch let error as SQLiteError where error.isBusy {
        exit(5)
      }
    }
    try store.close()
  }

  @Test("what reads the store's file next to it leaves the locks") func reading() async throws {
    let sample = try SwapSample()
    let store = try LockedStore(sample.folder, wait: SwapSample.wait)
    _ = try FileDigest(ofFile: sample.store)
    _ = try TemporaryClone(of: StoreFiles(sample.store))
    #expect(try NamedFile.read(sample.store) { try $0.read(upToCount: 6) } == Data("SQLite".utf8))
    #expect(throws: Failure.self) { try ModelFile(sample.store) }
    await #expect(processExitsWith: .exitCode(5)) { [path = sample.store as String] in
      do {
        try Connection(path: path, mode: .own(create: false)).execute("SELECT * FROM ZPERSON")
      } catch let error as SQLiteError where error.isBusy {
        exit(5)
      }
    }
    try store.close()
  }

  @Test("the run's copy counts as one that has the store's pages", arguments: ["DELETE", "WAL"])
  func sameCopy(journal: String) throws {
    let sample = try SwapSample(journal: journal)
    let path = sample.folder.sourcePath
    let store = try LockedStore(sample.folder, wait: SwapSample.wait, comparing: path)
    #expect(try store.copy?.digest == FileDigest(ofFile: path))
    let backup = samplePath("backup.sqlite")
    try store.clone(to: backup)
    #expect(try store.digest(ofClone: backup) == FileDigest(ofFile: path))
    try FileManager.default.removeItem(atPath: backup)
    try FileManager.default.copyItem(atPath: path, toPath: backup)
    #expect(try store.digest(ofClone: backup) == nil)
    try store.close()
  }

  @Test("a copy that is the same is not digested again", arguments: ["DELETE", "WAL"])
  func knownImage(journal: String) throws {
    let sample = try SwapSample(journal: journal)
    let path = sample.folder.sourcePath
    let store = try LockedStore(sample.folder, wait: SwapSample.wait)
    let image = store.content
    try store.close()
    // The image that is given back is the one that was given.
    let given = PageImage(sha256: [1], pageSize: image.pageSize, pageCount: image.pageCount)
    let same = try LockedStore(
      sample.folder, wait: SwapSample.wait, comparing: path, withImage: given)
    #expect(try same.content == given && same.copy?.digest == FileDigest(ofFile: path))
    try same.close()
    let longer = PageImage(sha256: [1], pageSize: image.pageSize, pageCount: image.pageCount + 1)
    let other = try LockedStore(
      sample.folder, wait: SwapSample.wait, comparing: path, withImage: longer)
    #expect(other.content == image)
    try other.close()
  }

  @Test("a store that has changed since is digested, whatever the copy was")
  func changedSince() throws {
    let sample = try SwapSample()
    let first = try LockedStore(sample.folder, wait: SwapSample.wait)
    let image = first.content
    try first.close()
    let app = try Connection(path: sample.store, mode: .own(create: false))
    try app.execute("UPDATE ZPERSON SET Z_OPT = 9")
    try app.close()
    let store = try LockedStore(
      sample.folder, wait: SwapSample.wait, comparing: sample.folder.sourcePath, withImage: image)
    #expect(store.content != image && store.copy == nil)
    try store.close()
  }

  @Test(
    "a copy that is another, longer or not there does not count",
    arguments: ["changed", "longer", "shorter", "missing"])
  func otherCopy(_ how: String) throws {
    let sample = try SwapSample()
    let file = URL(filePath: sample.folder.sourcePath)
    var bytes = try Data(contentsOf: file)
    switch how {
    case "changed": bytes[bytes.count - 1] ^= 1
    case "longer": bytes.append(0)
    case "shorter": bytes.removeLast(4096)
    default: break
    }
    try FileManager.default.removeItem(at: file)
    if how != "missing" { try bytes.write(to: file) }
    let store = try LockedStore(sample.folder, wait: SwapSample.wait, comparing: file.path)
    #expect(store.copy == nil)
    try store.close()
  }

  @Test("a finished journal that a death has left is removed, one that is not stays")
  func leftovers() throws {
    let sample = try SwapSample()
    let store = try LockedStore(sample.folder, wait: SwapSample.wait)
    let journal = sample.store + "-journal"
    try Data(count: 600).write(to: URL(filePath: journal))
    try store.removeLeftovers()
    #expect(!FileManager.default.fileExists(atPath: journal))
    try Data([1] + [UInt8](repeating: 0, count: 600)).write(to: URL(filePath: journal))
    try store.removeLeftovers()
    #expect(FileManager.default.fileExists(atPath: journal))
    try FileManager.default.removeItem(atPath: journal)
    try store.close()
  }

  @Test("by rename, a -wal that SQLite has left is not taken for the new file's")
  func leftLog() throws {
    let sample = try SwapSample(journal: "WAL")
    let state = try #require(try RunState.read(sample.folder))
    let staged = try StagedContent(sample.folder, state)
    let store = try LockedStore(sample.folder, wait: SwapSample.wait)
    try store.endTransaction()
    #expect(try store.connection.setJournalMode("DELETE") == "delete")
    try Data("frames".utf8).write(to: URL(filePath: sample.store + "-wal"))
    try store.rename { try staged.write(to: $0) }
    try? store.close()
    #expect(try sample.names() == [])
    #expect(try sample.image() == state.next)
  }

  @Test("what a failed write has made is removed, and the old file is in its place")
  func failedWrite() throws {
    let sample = try SwapSample(journal: "DELETE")
    let before = try sample.image()
    let store = try LockedStore(sample.folder, wait: SwapSample.wait)
    #expect(throws: SystemError.self) {
      try store.rename {
        try Data("half".utf8).write(to: URL(filePath: $0))
        throw SystemError("write", 28)
      }
    }
    try? store.close()
    #expect(try sample.names() == [])
    #expect(try sample.image() == before)
  }
}
