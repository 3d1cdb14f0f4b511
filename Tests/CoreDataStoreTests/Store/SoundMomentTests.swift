import CoreDataStore
import Foundation
import SQLite
import TestSupport
import Testing

@Suite("When a store was found sound", .temporaryFolder)
struct SoundMomentTests {
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

  @Test("nobody checks again what was not written since", arguments: ["DELETE", "WAL"])
  func since(journal: String) throws {
    let path = try StoreSample.make(journal: journal)
    let sound = try #require(try Store(path).sound)
    #expect(try Store(path, knowing: .since(sound)).sound == sound)
    try damage(path)
    #expect(throws: StoreError.self) { try Store(path, knowing: .since(sound)) }
  }

  @Test("a copy of a sound store is not read for it, any other is")
  func copy() throws {
    let path = try StoreSample.make()
    try damage(path)
    #expect(try Store(path, knowing: .copyOfSound).metadata.uuid == StoreSample.uuid)
    #expect(throws: StoreError.self) { try Store(path, knowing: .nothing) }
  }

  @Test("it covers a copy of that moment as long as the store is as it was")
  func covers() throws {
    let path = try StoreSample.make()
    let sound = try #require(try Store(path).sound)
    let folder = try RunFolder(store: path)
    let lock = try RunLock(folder)
    defer { lock.unlock() }
    let record = try SourceSnapshot.make(folder).record
    #expect(sound.covers(record, of: path))
    let connection = try Connection(path: path, mode: .own(create: false))
    try connection.execute("UPDATE ZPERSON SET Z_OPT = 2")
    try connection.close()
    #expect(!sound.covers(record, of: path))
  }
}
