import Foundation
import OperatingSystem
import SQLite
import TestSupport
import Testing

@Suite("Journals that name a file to delete", .temporaryFolder) struct HotJournalTests {
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  private func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// A journal without page records that ends in a super-journal's name.
  private func journal(naming name: [UInt8], checksumOff: Int = 0) -> [UInt8] {
    var bytes = Self.magic + number(0) + number(1) + number(3) + number(512) + number(4096)
    bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
    let sum = name.reduce(0) { $0 + Int(Int8(bitPattern: $1)) }
    return bytes + number(1) + name + number(name.count) + number(sum + checksumOff) + Self.magic
  }

  /// A store of three pages with such a journal, in a folder of its own, and a victim next to it.
  private func plant(_ name: String, checksumOff: Int = 0) throws -> String {
    let folder = TemporaryFolder.url.appending(path: "store")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "a.sqlite").path
    try makeStore(path).close()
    try write(journal(naming: Array(name.utf8), checksumOff: checksumOff), to: path + "-journal")
    return path
  }

  private func open(_ path: String) -> SQLiteError? {
    sqliteError {
      let store = try Connection(path: path, mode: .foreignWritable)
      _ = try store.integer("SELECT count(*) FROM t")
    }
  }

  @Test("unguarded, SQLite deletes what the journal names: the attack is real")
  func control() throws {
    try write([1], to: file("victim"))
    let path = try plant(file("victim"))
    try #require(contents(path).count == 3 * 4096)
    let memory = try Connection(inMemory: .own)
    // Attached by name, the file must not lie behind a link.
    let resolved = try FileSystem.realPath(path)
    try memory.execute("ATTACH '\(resolved)' AS a; SELECT count(*) FROM a.t")
    // From 3.51 on SQLite itself looks at the name first.
    #expect(exists(file("victim")) == (SQLiteLibrary.versionNumber >= 3_051_000))
  }

  @Test(
    "a name outside the store's folder, or not of SQLite's making, is refused",
    arguments: [
      "ABS/victim", "ABS/store/../victim", "ABS/store/victim", "ABS/store/a.sqlite",
      "ABS/a.sqlite-mj0123AB9EF", "ABS/out/a.sqlite-mj0123AB9EF", "ABS/victim\0-mj0123AB9EF",
      "ABS/store/../a.sqlite-mj0123AB9EF", "ABS/store/out/a.sqlite-mj0123AB9EF",
      "ABS/store/a.sqlite-mj0123AB8EF", "ABS/store/a.sqlite-mj0123ab9ef",
      "ABS/store/out/\u{301}-mj0123AB9EF", "victim", "../victim", "store/a.sqlite-mj0123AB9EF",
      "/nowhere/a.sqlite-mj0123AB9EF",
    ])
  func refused(name: String) throws {
    let victims = [
      "victim", "store/victim", "a.sqlite-mj0123AB9EF", "real/a.sqlite-mj0123AB9EF",
      "real/\u{301}-mj0123AB9EF",
      "store/a.sqlite-mj0123AB8EF", "store/a.sqlite-mj0123ab9ef",
    ]
    for folder in ["store", "real"] {
      try FileManager.default.createDirectory(
        atPath: file(folder), withIntermediateDirectories: true)
    }
    for link in ["out", "store/out"] {
      try FileManager.default.createSymbolicLink(
        atPath: file(link), withDestinationPath: file("real"))
    }
    for victim in victims { try write([1], to: file(victim)) }
    let root = try FileSystem.realPath(TemporaryFolder.url.path)
    let path = try plant(name.replacing("ABS", with: root))
    let error = open(path)
    #expect(error?.refusal == .strangeSuperJournal)
    #expect(error?.path?.hasSuffix("-journal") == true)
    for victim in victims { #expect(exists(file(victim))) }
    #expect(exists(path + "-journal"))
    let memory = try Connection(inMemory: .own)
    #expect(
      sqliteError { try memory.attach(path, as: "a", .readWrite) }?.refusal == .strangeSuperJournal)
  }

  @Test(
    "a name that SQLite makes, in the store's folder, is left to SQLite", arguments: [true, false])
  func harmless(throughLink: Bool) throws {
    try FileManager.default.createDirectory(
      atPath: file("store"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: file("link"), withDestinationPath: file("store"))
    let name = file("\(throughLink ? "link" : "store")/a.sqlite-mj0123AB9EF")
    // Not empty: SQLite takes an empty file for one that is not there.
    try write([1], to: name)
    let path = try plant(name)
    #expect(open(path) == nil)
    #expect(!exists(name))
    #expect(!exists(path + "-journal"))
  }

  @Test("such a name of a file that is gone means a commit: nothing is rolled back or deleted")
  func committed() throws {
    let path = try plant(file("store/a.sqlite-mj0123AB9EF"))
    #expect(open(path) == nil)
    #expect(!exists(path + "-journal"))
  }

  @Test("such a name that is a FIFO is refused: SQLite would wait for its writer")
  func fifo() throws {
    let name = file("store/a.sqlite-mj0123AB9EF")
    let path = try plant(name)
    try makePipe(name)
    #expect(open(path)?.refusal == .strangeSuperJournal)
  }

  @Test("a name with a wrong checksum is none, for SQLite too")
  func badChecksum() throws {
    try write([1], to: file("victim"))
    let path = try plant(file("victim"), checksumOff: 1)
    #expect(open(path) == nil)
    #expect(exists(file("victim")))
  }

  @Test("a journal put to rest is judged as well: its end may count again")
  func restingJournal() throws {
    try write([1], to: file("victim"))
    let path = try plant(file("victim"))
    var bytes = try contents(path + "-journal")
    bytes.replaceSubrange(0..<28, with: [UInt8](repeating: 0, count: 28))
    try write(bytes, to: path + "-journal")
    #expect(open(path)?.refusal == .strangeSuperJournal)
    #expect(exists(file("victim")))
  }

  @Test(
    "a journal without a name, or too short for one, is no reason to refuse",
    arguments: [0, 15, 512])
  func nameless(length: Int) throws {
    try makeStore(file("a.sqlite")).close()
    try write(Array(journal(naming: []).prefix(length)), to: file("a.sqlite-journal"))
    #expect(open(file("a.sqlite")) == nil)
  }
}
