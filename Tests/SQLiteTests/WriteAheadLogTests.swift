import SQLite
import TestSupport
import Testing

@testable import SQLite

@Suite("The write-ahead log", .temporaryFolder) struct WriteAheadLogTests {
  private func log(_ store: Connection) throws -> WriteAheadLog {
    try WriteAheadLog(try #require(try OpenFile.journal(of: store)))
  }

  @Test("as many frames are found as SQLite says there are", arguments: [512, 4096, 65_536])
  func frames(pageSize: Int) throws {
    let store = try makeStore(file("a"), rows: 300, pageSize: pageSize, journal: "WAL")
    let log = try log(store)
    let checkpoint = try store.rows("PRAGMA wal_checkpoint(PASSIVE)")
    #expect(
      checkpoint == [
        [.integer(0), .integer(Int64(log.committedFrames)), .integer(Int64(log.committedFrames))]
      ])
    #expect(log.pageSize == pageSize)
    #expect(try store.integer("PRAGMA page_count") == Int64(log.pageCount))
  }

  @Test("a log can be read up to an earlier commit")
  func limited() throws {
    let store = try makeStore(file("a"), journal: "WAL")
    let journal = try #require(try OpenFile.journal(of: store))
    let early = try WriteAheadLog(journal)
    try fill(store, rows: 500)
    #expect(try WriteAheadLog(journal).committedFrames > early.committedFrames)
    let again = try WriteAheadLog(journal, upTo: early.committedFrames)
    #expect(again.frames == early.frames && again.pageCount == early.pageCount)
    #expect(again.committedFrames == early.committedFrames)
  }

  @Test("frames one after the other are read at once, from any byte", arguments: [512, 4096])
  func runs(pageSize: Int) throws {
    let store = try makeStore(file("a"), rows: 3000, pageSize: pageSize, journal: "WAL")
    let journal = try #require(try OpenFile.journal(of: store))
    let log = try WriteAheadLog(journal)
    let page = try #require(log.frames.keys.first { log.runLength(from: $0, most: 9) > 2 })
    let frame = try #require(log.frames[page])
    let run = log.runLength(from: page, most: 9)
    var pages: [UInt8] = []
    for next in frame..<frame + UInt32(run) {
      pages += try journal.bytes(pageSize, at: log.offset(ofFrame: next)) ?? []
    }
    for range in [0..<pages.count, 7..<pages.count - 5, pageSize - 1..<pageSize + 1, 3..<9] {
      var bytes = [UInt8](repeating: 0, count: range.count)
      let isThere = unsafe try bytes.fillBytes { (buffer) throws(SQLiteError) in
        unsafe try log.fill(buffer, fromFrame: frame, range.lowerBound, of: journal)
      }
      #expect(isThere && bytes[...] == pages[range])
    }
    #expect(log.runLength(from: .max, most: 9) == 0)
  }

  @Test("a restarted log has another header")
  func begunAnew() throws {
    let store = try makeStore(file("a"), journal: "WAL")
    let journal = try #require(try OpenFile.journal(of: store))
    let log = try WriteAheadLog(journal)
    try fill(store, rows: 5)
    #expect(try log.hasSameHeader(journal))
    try store.execute("PRAGMA wal_checkpoint(RESTART)")
    try fill(store, rows: 1)
    #expect(try !log.hasSameHeader(journal))
  }

  @Test("a log of either byte order, right or damaged, is read as SQLite reads it")
  func bytes() throws {
    let store = try makeStore(file("a"), rows: 50, journal: "WAL")
    let frames = try log(store).committedFrames
    let main = try contents(file("a"))
    let sound = try contents(file("a-wal"))
    try #require(frames > 2)
    for index in [0, 5, 10, 20, 28, 33, 36, 41, 50, 32 + 24 + 4096 + 30, sound.count - 1] {
      var damaged = sound
      damaged[index] ^= 1
      let name = "b\(index)"
      try write(main, to: file(name))
      try write(damaged, to: file(name + "-wal"))
      let copy = try Connection(path: file(name), mode: .own(create: false))
      let seen = try? copy.integer("SELECT count(*) FROM t")
      // A version that is not known is an error for SQLite: there is no log to compare.
      guard let journal = try OpenFile.journal(of: copy), seen != nil || index > 7 else { continue }
      let ours = try WriteAheadLog(journal).committedFrames
      let theirs = try copy.rows("PRAGMA wal_checkpoint(PASSIVE)").first?[1].integer
      #expect(Int64(ours) == theirs, "byte \(index)")
    }
  }

  @Test("the checksum is that of the format's description, in both byte orders")
  func checksum() {
    let bytes: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 2, 255, 255, 255, 255, 0, 0, 0, 3]
    for isBigEndian in [true, false] {
      var words: [UInt32] = []
      for index in stride(from: 0, to: 16, by: 4) {
        let word = bytes.bigEndian32(at: index)
        words.append(isBigEndian ? word : word.byteSwapped)
      }
      var (first, second): (UInt32, UInt32) = (0, 0)
      for index in stride(from: 0, to: 4, by: 2) {
        first &+= words[index] &+ second
        second &+= words[index + 1] &+ first
      }
      var sum = WALChecksum(isBigEndian: isBigEndian)
      sum.add(bytes[0..<8])
      sum.add(bytes[8..<16])
      let stored = [first, second].flatMap { word in
        (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
      }
      #expect(sum.equals(stored, at: 0))
    }
  }
}
