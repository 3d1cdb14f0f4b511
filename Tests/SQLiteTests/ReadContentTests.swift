import Foundation
import TestSupport
import Testing

@testable import SQLite

@Suite("Reading where a store is", .temporaryFolder, .serialized)
struct ReadContentTests {
  /// Names, sizes, times and bytes of the test's folder.
  private func state() throws -> [String: String] {
    var state: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.url.path) + [
      "."
    ] {
      let facts = try FileManager.default.attributesOfItem(atPath: file(name))
      let bytes = name == "." ? [] : try contents(file(name))
      state[name] = "\(facts[.modificationDate] ?? "") \(bytes.hashValue)"
    }
    return state
  }

  private static let question = "SELECT count(*) || ' ' || sum(k) || ' ' || max(v) FROM t"

  @Test(
    "the same is read as by a connection that writes next to it, and nothing changes",
    arguments: ["empty log", "log", "log alone"])
  func same(state name: String) throws {
    let store = try makeStore(file("a"), rows: 200, journal: "WAL")
    if name != "log alone" { try store.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    if name == "log" { try store.execute("DELETE FROM t WHERE k % 3 = 0; VACUUM") }
    let path = try copyPending(store, to: "b")
    if name == "empty log" { try FileManager.default.removeItem(atPath: path + "-wal") }
    let expected = try store.string(Self.question)
    try store.close()
    try makeOld(path)
    let before = try state()
    let still = try Connection(path: path, mode: .still)
    #expect(try still.string(Self.question) == expected)
    #expect(try still.problems().isEmpty)
    try still.execute("CREATE TEMP TABLE own AS SELECT * FROM t")
    #expect(
      try still.integer("SELECT count(*) FROM own") == still.integer("SELECT count(*) FROM t"))
    try still.checkStill()
    try still.close()
    #expect(try state() == before)
  }

  @Test("a small file is read into memory, and others may write to it", arguments: [true, false])
  func loaded(isLogged: Bool) throws {
    let store = try makeStore(file("a"), rows: 200, journal: "WAL")
    if !isLogged { try store.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    let path = try copyPending(store, to: "b")
    let expected = try store.string(Self.question)
    let image = try store.pageImage()
    try store.close()
    let before = try state()
    let loaded = try Connection(path: path, mode: .loaded)
    #expect(try state() == before)
    for suffix in ["", "-wal"] { try write([], to: path + suffix) }
    #expect(try loaded.string(Self.question) == expected)
    #expect(try loaded.problems().isEmpty && loaded.pageImage() == image)
    #expect(sqliteError { try loaded.execute("DELETE FROM t") }?.isReadOnly == true)
  }

  @Test("a file with a journal that has to be rolled back is not loaded, nor is a large one")
  func notLoaded() throws {
    try makeStore(file("a"), rows: 5, journal: "WAL").close()
    try write([0xd9], to: file("a-journal"))
    #expect(sqliteError { _ = try StillContent(file("a"), isLoaded: true) }?.isBusy == true)
    try write([], to: file("a-journal"))
    #expect(try StillContent(file("a"), isLoaded: true).pageCount > 0)
    let handle = try FileHandle(forWritingTo: URL(filePath: file("a")))
    try handle.truncate(atOffset: UInt64(StillContent.mostLoaded) + 4096)
    try handle.close()
    #expect(sqliteError { _ = try StillContent(file("a"), isLoaded: true) }?.isBusy == true)
  }

  @Test("one in rollback mode is not loaded, as a writer need not leave a -journal")
  func rollback() throws {
    let store = try makeStore(file("a"), rows: 50)
    try store.execute("PRAGMA journal_mode = MEMORY; PRAGMA cache_size = 2")
    try write([], to: file("a-wal"))
    try store.execute("BEGIN; UPDATE t SET v = hex(randomblob(500)); DELETE FROM t WHERE k > 40")
    #expect(sqliteError { _ = try StillContent(file("a"), isLoaded: true) }?.isBusy == true)
    try store.execute("ROLLBACK")
    #expect(sqliteError { _ = try StillContent(file("a"), isLoaded: true) }?.isBusy == true)
  }

  private static let descriptors = "/proc/self/fd"

  @Test(
    "what was read into memory keeps no file",
    .enabled(if: FileManager.default.fileExists(atPath: descriptors), "needs a /proc"))
  func letGo() throws {
    let store = try makeStore(file("a"), rows: 5, journal: "WAL")
    let path = try copyPending(store, to: "b")
    let loaded = try Connection(path: path, mode: .loaded)
    let links = try FileManager.default.contentsOfDirectory(atPath: Self.descriptors).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(Self.descriptors)/\($0)")
    }
    #expect(!links.contains { $0.hasPrefix(path) } && links.contains { $0.hasPrefix(store.path) })
    #expect(try loaded.integer("SELECT count(*) FROM t") == 5)
  }

  @Test("a log that counts more pages than there are is refused") func count() throws {
    let store = try makeStore(file("a"), rows: 5, journal: "WAL")
    let path = try copyPending(store, to: "b")
    try store.close()
    // The last frame is a commit: "the size of the database file in pages after the commit"
    // (Database File Format, 4.1), with the check sum of a log of one frame.
    var log = Array(try contents(path + "-wal")[..<(32 + 24 + 4096)])
    log.replaceSubrange(36..<40, with: [0x7f, 0xff, 0xff, 0xfe])
    try write(Self.summed(log), to: path + "-wal")
    let error = sqliteError { _ = try StillContent(path, isLoaded: true) }
    #expect(error?.isBusy == false)
    #expect(error.map { "\($0)".contains("more pages") } == true)
  }

  /// A log of one frame with the check sums that it should have.
  private static func summed(_ log: [UInt8]) -> [UInt8] {
    var (log, first, second) = (log, UInt32(0), UInt32(0))
    let isBigEndian = log[3] & 1 == 1
    func add(_ range: Range<Int>) {
      for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        func word(_ place: Int) -> UInt32 {
          let bytes = log[place..<place + 4].map(UInt32.init)
          let raw = bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3]
          return isBigEndian ? raw : raw.byteSwapped
        }
        first &+= word(place) &+ second
        second &+= word(place + 4) &+ first
      }
    }
    add(0..<24)
    add(32..<40)
    add(56..<log.count)
    for (place, sum) in [(48, first), (52, second)] {
      log.replaceSubrange(
        place..<place + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) })
    }
    return log
  }

  @Test("it can be attached, and is not written") func attached() throws {
    let store = try makeStore(file("a"), rows: 5, journal: "WAL")
    let path = try copyPending(store, to: "b % c")
    try makeOld(path)
    let own = try makeStore(file("own"))
    try own.attach(path, as: "source", .still)
    #expect(try own.integer("SELECT count(*) FROM source.t") == 5)
    #expect(sqliteError { try own.execute("DELETE FROM source.t") }?.isReadOnly == true)
    #expect(try own.integer("SELECT count(*) FROM main.t") == 3)
  }

  @Test("somebody who writes meanwhile makes it busy, not wrong") func written() throws {
    let store = try makeStore(file("a"), rows: 3000, journal: "WAL")
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let path = try copyPending(store, to: "b")
    try makeOld(path)
    let still = try Connection(path: path, mode: .still)
    #expect(try still.integer("SELECT count(*) FROM t") == 3000)
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(repeating: 0, count: 4096))
    try handle.close()
    let error = sqliteError { _ = try still.string("SELECT sum(length(v)) FROM t NOT INDEXED") }
    let check = sqliteError { try still.checkStill() }
    #expect(check?.isBusy == true)
    // What is in memory already may still be read.
    #expect(error == nil || error?.isBusy == true)
  }
}
