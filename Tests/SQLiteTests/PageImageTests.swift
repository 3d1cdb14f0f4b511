import Formats
import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Page images", .temporaryFolder) struct PageImageTests {
  private static let pageSizes = [512, 1024, 2048, 4096, 65_536]

  /// The digest of a file that nobody has open, with the bytes masked that a copy does not keep.
  private func digest(ofFile path: String) throws -> [UInt8] {
    var bytes = try contents(path)
    for range in [18..<20, 24..<32, 40..<44, 92..<100] {
      for index in range { bytes[index] = 0 }
    }
    return Digest.sha256(bytes)
  }

  /// The digest of a copy made by the backup API.
  private func digestOfCopy(of store: Connection) throws -> [UInt8] {
    let path = file("copy-\(UUID().uuidString)")
    let target = try Connection(path: path, mode: .own(create: true))
    try store.copy(to: target, pagesPerStep: -1)
    try target.close()
    return try digest(ofFile: path)
  }

  @Test("the image is that of a copy by the backup API", arguments: pageSizes, ["DELETE", "WAL"])
  func equalsCopy(pageSize: Int, journal: String) throws {
    let store = try makeStore(file("a"), rows: 3000, pageSize: pageSize, journal: journal)
    try store.execute("DELETE FROM t WHERE k % 3 = 0; PRAGMA incremental_vacuum(3)")
    let image = try store.pageImage()
    #expect(try image.sha256 == digestOfCopy(of: store))
    #expect(image.pageSize == pageSize)
    #expect(try store.integer("PRAGMA page_count") == Int64(image.pageCount))
  }

  @Test(
    "a checkpoint, closing and another journal mode do not change the image", arguments: pageSizes)
  func sameContent(pageSize: Int) throws {
    let store = try makeStore(file("a"), rows: 500, pageSize: pageSize, journal: "WAL")
    let image = try store.pageImage()
    try store.execute("PRAGMA wal_checkpoint(PASSIVE)")
    #expect(try store.pageImage() == image)
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try store.pageImage() == image)
    try store.execute("PRAGMA journal_mode = DELETE")
    #expect(try store.pageImage() == image)
    try store.close()
    #expect(try Connection(path: file("a"), mode: .foreign).pageImage() == image)
    #expect(try digest(ofFile: file("a")) == image.sha256)
  }

  @Test("a store of many megabytes has the digest of its file")
  func large() throws {
    let store = try makeStore(file("a"), rows: 10)
    try store.execute("CREATE TABLE large (k INTEGER PRIMARY KEY, v BLOB)")
    for _ in 0..<12 { try store.execute("INSERT INTO large (v) VALUES (randomblob(1000003))") }
    let image = try store.pageImage()
    try store.close()
    #expect(try digest(ofFile: file("a")) == image.sha256)
  }

  @Test("pages in the log count as they were committed last, before and after a restart of the log")
  func logRestarted() throws {
    let store = try makeStore(file("a"), rows: 500, journal: "WAL")
    for round in 0..<4 {
      try store.run("UPDATE t SET v = ?1 WHERE k % 50 = 0", [.integer(Int64(round))])
      #expect(try store.pageImage().sha256 == digestOfCopy(of: store))
      if round == 1 { try store.execute("PRAGMA wal_checkpoint(FULL)") }
    }
  }

  @Test("what follows the last commit in the log does not count")
  func tornTail() throws {
    let store = try makeStore(file("a"), rows: 100, journal: "WAL")
    let image = try store.pageImage()
    let log = try FileHandle(forWritingTo: URL(filePath: file("a-wal")))
    try log.seekToEnd()
    try log.write(contentsOf: Data(repeating: 0x5a, count: 24 + 4096 + 100))
    try log.close()
    #expect(try store.pageImage() == image)
    #expect(try image.sha256 == digestOfCopy(of: store))
  }

  @Test("a commit that is in the log but was never shown to readers does not count")
  func unpublished() throws {
    let store = try makeStore(file("a"), rows: 100, journal: "WAL")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: file("a" + suffix), toPath: file("b" + suffix))
    }
    try store.run("UPDATE t SET v = 1", [])
    let copy = try Connection(path: file("b"), mode: .foreign)
    let image = try copy.pageImage()
    // As a writer leaves it that dies between its commit frame and the WAL-index.
    try Data(contents(file("a-wal"))).write(to: URL(filePath: file("b-wal")), options: [])
    #expect(try copy.integer("SELECT count(*) FROM t WHERE v = 1") == 0)
    #expect(try copy.pageImage() == image)
    #expect(try image.sha256 == digestOfCopy(of: copy))
    #expect(try store.pageImage() != image)
  }

  @Test("a log whose last commit is torn counts up to the commit before, as for SQLite")
  func tornCommit() throws {
    let store = try makeStore(file("a"), rows: 100, journal: "WAL")
    let image = try store.pageImage()
    let length = try contents(file("a-wal")).count
    try store.run("UPDATE t SET v = 1", [])
    for (name, keep) in [("b", length), ("c", length + 24 + 2000)] {
      try FileManager.default.copyItem(atPath: file("a"), toPath: file(name))
      try write(Array(contents(file("a-wal")).prefix(keep)), to: file(name + "-wal"))
      let copy = try Connection(path: file(name), mode: .foreign)
      #expect(try copy.pageImage() == image)
      #expect(try copy.integer("SELECT count(*) FROM t WHERE v = 1") == 0)
    }
  }

  @Test(
    "pages allocated and freed in one transaction count as a copy has them", arguments: [0, 2])
  func freed(autoVacuum: Int) throws {
    var mode = OpenMode.own(create: true)
    mode.autoVacuum = autoVacuum
    let store = try Connection(path: file("a"), mode: mode)
    try store.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (v)")
    try store.transaction {
      try store.execute("INSERT INTO t VALUES (zeroblob(300000)); DELETE FROM t")
      try store.execute("INSERT INTO t VALUES (1)")
    }
    let image = try store.pageImage()
    #expect(image.pageCount > 70)
    #expect(try image.sha256 == digestOfCopy(of: store))
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try store.pageImage() == image)
  }

  @Test("inside a write transaction the image is what was there before it")
  func uncommitted() throws {
    let store = try makeStore(file("a"), rows: 100, journal: "WAL")
    let image = try store.pageImage()
    try store.execute("PRAGMA cache_size = 5")
    try store.transaction {
      try fill(store, rows: 5000)
      #expect(try store.pageImage() == image)
    }
    #expect(try store.pageImage() != image)
  }

  @Test("under an exclusive lock the image is the same", arguments: ["DELETE", "WAL"])
  func exclusive(journal: String) throws {
    let store = try makeStore(file("a"), rows: 100, journal: journal)
    let image = try store.pageImage()
    try store.close()
    let locked = try Connection(path: file("a"), mode: .foreignWritable)
    try locked.transaction(.exclusive) { try #expect(locked.pageImage() == image) }
    #expect(try locked.pageImage() == image)
  }

  @Test("a store from before page counts in headers has the image of its copy")
  func withoutPageCount() throws {
    try makeStore(file("a"), rows: 500).close()
    var bytes = try contents(file("a"))
    for index in [24..<32, 92..<100].joined() { bytes[index] = 0 }
    try write(bytes, to: file("old"))
    let store = try Connection(path: file("old"), mode: .foreign)
    let image = try store.pageImage()
    #expect(try image.sha256 == digestOfCopy(of: store))
    #expect(image.pageCount == bytes.count / 4096)
  }

  @Test("one row, or one byte, makes another image")
  func differs() throws {
    let store = try makeStore(file("a"), rows: 500)
    let image = try store.pageImage()
    try store.run("UPDATE t SET v = 'x' WHERE k = 250", [])
    #expect(try store.pageImage() != image)
    try store.close()
    var bytes = try contents(file("a"))
    let before = try Connection(path: file("a"), mode: .foreign).pageImage()
    for index in [44, 99 + 1, bytes.count / 2, bytes.count - 1] {
      bytes[index] ^= 1
      try write(bytes, to: file("b"))
      bytes[index] ^= 1
      #expect(try digest(ofFile: file("b")) != before.sha256)
      let flipped = try? Connection(path: file("b"), mode: .foreign).pageImage()
      #expect(flipped != before)
    }
  }

  @Test("reading can be stopped, and the connection continues")
  func stopped() throws {
    let store = try makeStore(file("a"), rows: 5000)
    let error = sqliteError { _ = try store.pageImage { _, _ in false } }
    #expect(error?.isInterrupted == true)
    #expect(!store.isInTransaction)
    var last = (0, 0)
    let image = try store.pageImage { done, total in
      last = (done, total)
      return true
    }
    #expect(last == (image.pageCount, image.pageCount))
  }

  @Test("a page missing at the end of the file is an error, not zeros")
  func truncated() throws {
    let store = try makeStore(file("a"), rows: 500)
    let code = unsafe truncate(file("a"), 3 * 4096)
    try #require(code == 0)
    #expect(sqliteError { _ = try store.pageImage() }?.isCorrupt == true)
  }

  @Test("a database in memory has no image")
  func memory() throws {
    #expect(sqliteError { _ = try Connection(inMemory: .own).pageImage() }?.isMisuse == true)
  }

  @Test("pages are handed on as they are, in their order", arguments: ["DELETE", "WAL"])
  func handsOn(journal: String) throws {
    let store = try makeStore(file("a"), rows: 3000, journal: journal)
    try store.execute("UPDATE t SET v = 'x' WHERE k % 7 = 0")
    var bytes: [UInt8] = []
    let image = try store.copyPages(to: { offset, pages in
      guard offset == Int64(bytes.count) else { return false }
      bytes += pages
      return true
    })
    #expect(try image == store.pageImage())
    try Data(bytes).write(to: URL(filePath: file("b")))
    let copy = try Connection(path: file("b"), mode: .own(create: false))
    #expect(try copy.problems(.full).isEmpty)
    #expect(try copy.pageImage() == image)
    #expect(try copy.integer("SELECT count(*) FROM t") == store.integer("SELECT count(*) FROM t"))
  }

  @Test("who takes no more pages ends the reading")
  func takesNoMore() throws {
    let store = try makeStore(file("a"), rows: 3000)
    #expect(throws: SQLiteError.self) { try store.copyPages(to: { _, _ in false }) }
    #expect(!store.isInTransaction)
  }

  @Test("the pages of an overlay are those of a file that is made of them") func given() throws {
    try makeStore(file("a"), rows: 300).close()
    try Overlay.make(at: file("next"), on: file("a"))
    let overlay = try Connection(path: file("next"), mode: .own(create: false))
    try overlay.execute("DELETE FROM t WHERE k % 3 = 0; CREATE INDEX i ON t (v)")
    var bytes: [UInt8] = []
    try overlay.givePages { offset, pages in
      bytes += pages
      return Int(offset) + pages.count == bytes.count
    }
    (bytes[18], bytes[19]) = (1, 1)
    try write(bytes, to: file("b"))
    let made = try Connection(path: file("b"), mode: .foreign)
    #expect(try made.pageImage() == overlay.pageImage())
    #expect(try made.problems(.full) == [])
  }
}
