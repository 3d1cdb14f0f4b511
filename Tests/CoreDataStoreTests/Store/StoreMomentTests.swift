import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("What a store was when it was looked at", .temporaryFolder)
struct StoreMomentTests {
  /// Makes the page of the persons one that is none.
  private func damage(_ path: String) throws {
    let connection = try Connection(path: path, mode: .foreign)
    let page = try #require(
      try connection.integer("SELECT rootpage FROM sqlite_master WHERE name = 'ZPERSON'"))
    try connection.close()
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seek(toOffset: UInt64(page - 1) * 4096)
    try file.write(contentsOf: [0xff])
    try file.close()
  }

  /// A copy of the store, as a run makes it.
  private func copy(_ path: String) throws -> (path: String, record: SourceRecord) {
    let folder = try WorkFolder(store: path)
    let lock = try RunLock(folder)
    defer { lock.unlock() }
    return (folder.sourcePath, try SourceSnapshot.make(folder).record)
  }

  private func change(_ path: String, _ sql: String) throws {
    let connection = try Connection(path: path, mode: .own(create: false))
    try connection.execute(sql)
    try connection.close()
  }

  @Test("it holds for a copy as long as nothing was written", arguments: ["DELETE", "WAL"])
  func holds(journal: String) throws {
    let path = try StoreSample.make(journal: journal)
    let moment = try #require(try Store(path).moment)
    #expect(try moment.holds(for: copy(path).path, of: path))
    try change(path, "UPDATE ZPERSON SET Z_OPT = 2")
    let later = try copyAgain(path)
    #expect(try !moment.holds(for: later, of: path))
    #expect(try #require(try Store(path).moment).holds(for: later, of: path))
  }

  /// A copy in another work folder, since the first one is of another content.
  private func copyAgain(_ path: String) throws -> String {
    let folder = try WorkFolder(store: path, work: path + ".other")
    let lock = try RunLock(folder)
    defer { lock.unlock() }
    _ = try SourceSnapshot.make(folder)
    return folder.sourcePath
  }

  @Test("a copy with another UUID is of another store, whatever the times of the files say")
  func uuid() throws {
    let path = try StoreSample.make()
    let moment = try #require(try Store(path).moment)
    let copy = try copy(path).path
    try change(copy, "UPDATE Z_METADATA SET Z_UUID = '00000000-0000-0000-0000-000000000000'")
    #expect(try !moment.holds(for: copy, of: path))
  }

  @Test("a copy of a sound store is not read for it, any other is")
  func copy() throws {
    let path = try StoreSample.make()
    try damage(path)
    #expect(try Store(path, reading: .sound).metadata.uuid == StoreSample.uuid)
    #expect(throws: Failure.self) { try Store(path, reading: .store) }
  }

  @Test("a copy of a sound store needs no check as long as the store is as it was")
  func sound() throws {
    let path = try StoreSample.make()
    let moment = try #require(try Store(path).moment)
    let record = try copy(path).record
    #expect(moment.isSound(record, of: path))
    try change(path, "UPDATE ZPERSON SET Z_OPT = 2")
    #expect(!moment.isSound(record, of: path))
  }
}
