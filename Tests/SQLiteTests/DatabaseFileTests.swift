import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Files looked at before SQLite", .temporaryFolder) struct DatabaseFileTests {
  private func refusal(_ path: String) -> SQLiteError.Refusal? {
    sqliteError { _ = try Connection(path: path, mode: .foreign) }?.refusal
  }

  @Test("a sound file passes, with its facts")
  func sound() throws {
    try makeStore(file("a"), pageSize: 1024).close()
    let found = try DatabaseFile.examine(file("a"))
    #expect(found.header.pageSize == 1024)
    #expect(found.size == Int64(found.header.pageCount ?? 0) * 1024)
    #expect(!found.header.isWAL)
  }

  @Test("what is not a regular file is refused without waiting for it")
  func notRegular() throws {
    try makePipe(file("fifo"))
    #expect(refusal(file("fifo")) == .notRegular)
    #expect(refusal(TemporaryFolder.url.path) == .notRegular)
    #expect(refusal("/dev/zero") == .notRegular)
    #expect(refusal("") == .path)
  }

  @Test("a link to a database is followed")
  func link() throws {
    try makeStore(file("a")).close()
    try FileManager.default.createSymbolicLink(atPath: file("l"), withDestinationPath: file("a"))
    let store = try Connection(path: file("l"), mode: .foreign)
    #expect(store.path.hasSuffix("/a"))
  }

  @Test("what only looks like a database is named for what it is")
  func lookalikes() throws {
    try makeStore(file("a")).close()
    let sound = try contents(file("a"))
    try write([], to: file("empty"))
    #expect(refusal(file("empty")) == .empty)
    try write([0x53], to: file("byte"))
    #expect(refusal(file("byte")) == .notADatabase)
    try write(sound.map { $0 ^ 0x5a }, to: file("encrypted"))
    let error = sqliteError { _ = try DatabaseFile.examine(file("encrypted")) }
    #expect(error?.description.contains("encrypted (SQLCipher?) or not an SQLite file") == true)
    #expect(error?.isCorrupt == true)
    try write(Array(sound[..<50]), to: file("short"))
    #expect(refusal(file("short")) == .truncated)
    try write(Array(sound[..<200]), to: file("page"))
    #expect(refusal(file("page")) == .truncated)
    var odd = sound
    odd[17] = 1
    try write(odd, to: file("odd"))
    #expect(refusal(file("odd")) == .truncated)
  }

  @Test("a file shorter than its header says is refused")
  func truncated() throws {
    try makeStore(file("a"), rows: 200).close()
    let sound = try contents(file("a"))
    try write(Array(sound.dropLast(4096)), to: file("b"))
    #expect(refusal(file("b")) == .truncated)
    try write(sound + [UInt8](repeating: 0, count: 4096), to: file("c"))
    #expect(refusal(file("c")) == nil)
  }

  @Test("a length in the header that is stale is not believed")
  func stale() throws {
    try makeStore(file("a"), rows: 200).close()
    var bytes = try contents(file("a"))
    bytes[31] &+= 1
    try write(bytes, to: file("b"))
    #expect(refusal(file("b")) == .truncated)
    bytes[95] &+= 1
    try write(bytes, to: file("c"))
    #expect(refusal(file("c")) == nil)
  }

  @Test("a file whose missing pages are in its -wal is whole")
  func pagesInLog() throws {
    let store = try makeStore(file("a"), rows: 0, journal: "WAL")
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try fill(store, rows: 500)
    try FileManager.default.copyItem(atPath: file("a"), toPath: file("b"))
    try FileManager.default.copyItem(atPath: file("a-wal"), toPath: file("b-wal"))
    var bytes = try contents(file("b"))
    bytes[31] &+= 9
    try write(bytes, to: file("b"))
    let copy = try Connection(path: file("b"), mode: .foreign)
    #expect(try copy.integer("SELECT count(*) FROM t") == 500)
    try write(bytes, to: file("c"))
    #expect(refusal(file("c")) == .truncated)
  }

  @Test("what lies next to the file must be regular too", arguments: ["-wal", "-shm", "-journal"])
  func beside(suffix: String) throws {
    try makeStore(file("a")).close()
    try FileManager.default.createSymbolicLink(
      atPath: file("a" + suffix), withDestinationPath: file("elsewhere"))
    #expect(refusal(file("a")) == .sideFileNotRegular)
    try FileManager.default.removeItem(atPath: file("a" + suffix))
    try makePipe(file("a" + suffix))
    #expect(refusal(file("a")) == .sideFileNotRegular)
    try FileManager.default.removeItem(atPath: file("a" + suffix))
    #expect(refusal(file("a")) == nil)
  }
}
