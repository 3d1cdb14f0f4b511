import TestSupport
import Testing

@testable import SQLite

@Suite("The WAL-index", .temporaryFolder) struct LogIndexTests {
  @Test("it counts the frames of the log, and has the log's salts")
  func agrees() throws {
    let store = try makeStore(file("a"), rows: 300, journal: "WAL")
    let log = try WriteAheadLog(try #require(try OpenFile.journal(of: store)))
    let index = try #require(try LogIndex(try OpenFile.main(of: store)))
    #expect(index.committedFrames == log.committedFrames)
    #expect(index.salts == log.header[16..<24])
  }

  @Test("every commit changes it, and nothing else does")
  func changes() throws {
    let store = try makeStore(file("a"), journal: "WAL")
    let main = try OpenFile.main(of: store)
    let before = try #require(try LogIndex(main))
    #expect(try store.integer("SELECT count(*) FROM t") == 3)
    #expect(try LogIndex(main) == before)
    try store.transaction {
      try fill(store, rows: 1)
      let during = try LogIndex(main)
      #expect(during == before)
    }
    #expect(try LogIndex(main) != before)
  }
}
