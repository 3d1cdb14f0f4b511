import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("The copy that a run reads", .temporaryFolder) struct SourceSnapshotTests {
  private func folder(journal: String = "DELETE") throws -> WorkFolder {
    let folder = try WorkFolder(store: StoreSample.make(journal: journal))
    try folder.make()
    return folder
  }

  private func write(_ folder: WorkFolder) throws {
    let app = try Connection(path: folder.store, mode: .own(create: false))
    try app.execute("UPDATE ZPERSON SET Z_OPT = 5 WHERE Z_PK = 2")
    try app.close()
  }

  @Test("it is the store, in no need of a log", arguments: ["DELETE", "WAL"])
  func copy(journal: String) throws {
    let folder = try folder(journal: journal)
    let snapshot = try SourceSnapshot.make(folder)
    #expect(snapshot.record.journal == journal.lowercased())
    #expect(try !DatabaseFile.examine(folder.sourcePath).header.isWAL)
    let copy = try Connection(path: folder.sourcePath, mode: .foreign)
    #expect(try copy.integer("SELECT count(*) FROM ZPERSON") == 3)
    #expect(try copy.pageImage() == snapshot.record.image)
    try copy.close()
    let store = try Connection(path: folder.store, mode: .foreign)
    #expect(try store.pageImage() == snapshot.record.image)
  }

  @Test("a killed run's copy is used again as long as the store is the same")
  func reuse() throws {
    let folder = try folder(journal: "WAL")
    let first = try SourceSnapshot.make(folder)
    let second = try SourceSnapshot.make(folder, recorded: first.record)
    #expect(second.isReused)
    #expect(second.record.image == first.record.image)
    // Touched, and the same: the stamp differs and the content decides.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder.store)
    let third = try SourceSnapshot.make(folder, recorded: second.record)
    #expect(third.isReused)
    #expect(third.record.stamp != second.record.stamp)
  }

  @Test("to look whether the store has changed can be stopped, unless its stamp says enough")
  func stoppedLook() throws {
    let folder = try folder()
    let record = try SourceSnapshot.make(folder).record
    let isOther = try SourceSnapshot.hasChanged(folder, since: record) { _, _ in false }
    #expect(!isOther)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder.store)
    #expect(try !SourceSnapshot.hasChanged(folder, since: record))
    #expect(throws: Failure.self) {
      try SourceSnapshot.hasChanged(folder, since: record) { _, _ in false }
    }
  }

  @Test("a copy that is gone or damaged is made again")
  func damaged() throws {
    let folder = try folder()
    let first = try SourceSnapshot.make(folder)
    var bytes = try Data(contentsOf: URL(filePath: folder.sourcePath))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(filePath: folder.sourcePath))
    let second = try SourceSnapshot.make(folder, recorded: first.record)
    #expect(!second.isReused)
    #expect(second.record.image == first.record.image)
  }

  @Test("a store that changed is not taken for the one that was copied")
  func changed() throws {
    let folder = try folder()
    let first = try SourceSnapshot.make(folder)
    try write(folder)
    for isThere in [true, false] {
      if !isThere { try FileManager.default.removeItem(atPath: folder.sourcePath) }
      let error = #expect(throws: Failure.self) {
        _ = try SourceSnapshot.make(folder, recorded: first.record)
      }
      #expect(error?.kind == .busy)
    }
  }

  @Test("a journal that a crash left is rolled back in the copy, not in the store")
  func crash() async throws {
    let folder = try folder()
    await #expect(processExitsWith: .exitCode(9)) { [path = folder.store as String] in
      let app = try Connection(path: path, mode: .own(create: false))
      try app.execute("PRAGMA cache_size = 1; BEGIN; UPDATE ZPERSON SET ZNAME = 'half'")
      try app.execute("CREATE TABLE ZMORE (a); INSERT INTO ZMORE VALUES (zeroblob(100000))")
      _exit(9)
    }
    let journal = folder.store + "-journal"
    try #require(FileManager.default.fileExists(atPath: journal))
    _ = try SourceSnapshot.make(folder)
    #expect(FileManager.default.fileExists(atPath: journal))
    let copy = try Connection(path: folder.sourcePath, mode: .foreign)
    #expect(try copy.integer("SELECT count(*) FROM ZPERSON WHERE ZNAME = 'half'") == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["source.sqlite"])
  }

  @Test("a writer who holds the store makes it busy")
  func busy() async throws {
    let folder = try folder()
    let app = try Connection(path: folder.store, mode: .own(create: false))
    try app.execute("BEGIN EXCLUSIVE")
    await #expect(processExitsWith: .exitCode(5)) { [path = folder.store as String] in
      do {
        _ = try SourceSnapshot.make(WorkFolder(store: path), wait: .zero)
      } catch let error as Failure {
        exit(error.kind.status)
      }
    }
    try app.close()
  }
}
