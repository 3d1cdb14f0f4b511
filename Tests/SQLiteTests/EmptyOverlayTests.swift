import Foundation
import SQLite
import TestSupport
import Testing

@Suite("A database that is a log from its first page on", .temporaryFolder)
struct EmptyOverlayTests {
  private func make(pageSize: Int = 4096) throws -> Connection {
    try Overlay.makeEmpty(at: file("next"), pageSize: pageSize)
    return try Connection(path: file("next"), mode: .own(create: false))
  }

  @Test("it begins without tables, and keeps what is written to it", arguments: [512, 4096])
  func written(pageSize: Int) throws {
    let store = try make(pageSize: pageSize)
    let base = try contents(file("next-base"))
    #expect(store.isOverlay)
    #expect(try store.integer("SELECT count(*) FROM sqlite_master") == 0)
    #expect(try store.integer("PRAGMA page_size") == Int64(pageSize))
    #expect(try store.integer("PRAGMA auto_vacuum") == 2)
    try store.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v)")
    try fill(store, rows: 700)
    let image = try store.pageImage()
    try store.close()
    #expect(try contents(file("next-base")) == base)
    #expect(base.count == pageSize)
    let again = try Connection(path: file("next"), mode: .foreign)
    #expect(try again.integer("SELECT count(*) FROM t") == 700)
    #expect(try again.pageImage() == image)
    #expect(try again.problems(.full) == [])
  }

  @Test("a log that was cut off anywhere ends with a whole commit") func cutOff() throws {
    let store = try make()
    try store.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v)")
    for _ in 0..<6 { try fill(store, rows: 40) }
    try store.close()
    let log = try contents(file("next-wal"))
    var found: Set<Int64> = []
    for length in stride(from: 0, to: log.count, by: 1_111) {
      try write(Array(log[..<length]), to: file("next-wal"))
      let cut = try Connection(path: file("next"), mode: .own(create: false))
      #expect(try cut.problems(.full) == [])
      if try Schema(of: cut).table("t") != nil {
        found.insert(try #require(try cut.integer("SELECT count(*) FROM t")))
      }
      try cut.close()
    }
    #expect(found.allSatisfy { $0 % 40 == 0 })
    #expect(found.count > 4)
  }

  @Test("a base that is gone is noticed") func base() throws {
    try make().close()
    #expect(try Overlay.hasBase(file("next")))
    try FileManager.default.removeItem(atPath: file("next-base"))
    #expect(try !Overlay.hasBase(file("next")))
    #expect(Overlay.isOne(file("next")))
  }

  @Test("nothing that is there is written over") func there() throws {
    for name in ["next", "next-base"] {
      try write([1, 2, 3], to: file(name))
      #expect(throws: (any Error).self) { try Overlay.makeEmpty(at: file("next"), pageSize: 4096) }
      #expect(try contents(file(name)) == [1, 2, 3])
      try? FileManager.default.removeItem(atPath: file("next"))
      try? FileManager.default.removeItem(atPath: file("next-base"))
    }
  }
}
