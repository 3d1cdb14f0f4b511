import Foundation
import SQLite
import TestSupport
import Testing

@testable import SQLite

/// Gives files of the test's folder times of long ago, as if nobody had written for a while.
func makeOld(_ path: String, ago: TimeInterval = 60) throws {
  for suffix in ["", "-wal"] where exists(path + suffix) {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -ago)], ofItemAtPath: path + suffix)
  }
  // The time of the last change of anything about a file cannot be set.
  usleep(useconds_t(StillContent.quiet / 1000 + 100_000))
}

/// A copy of a database with its -wal, as a killed application leaves them.
func copyPending(_ store: Connection, to name: String) throws -> String {
  for suffix in ["", "-wal"] {
    try write(contents(store.path + suffix), to: file(name + suffix))
  }
  return file(name)
}

@Suite("A store that nobody writes", .temporaryFolder, .serialized)
struct StillContentTests {
  @Test("pages are those of the log, then of the main file") func pages() throws {
    let store = try makeStore(file("a"), rows: 300, journal: "WAL")
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try fill(store, rows: 300)
    let path = try copyPending(store, to: "b")
    try makeOld(path)
    let content = try StillContent(path)
    let count = try #require(try store.integer("PRAGMA page_count"))
    #expect(content.pageCount == count && content.pageSize == 4096)
    var page = [UInt8](repeating: 1, count: 4096)
    let isThere = unsafe try page.fillBytes { (buffer) throws(SQLiteError) in
      unsafe try content.fill(buffer, at: 0)
    }
    #expect(isThere && page[18] == 1 && page[19] == 1)
    let isBeyond = unsafe try page.fillBytes { (buffer) throws(SQLiteError) in
      unsafe try content.fill(buffer, at: count * 4096)
    }
    #expect(!isBeyond && page.allSatisfy { $0 == 0 })
  }

  @Test("a file that was written a moment ago is busy") func recent() throws {
    try makeStore(file("a"), journal: "WAL").close()
    #expect(sqliteError { _ = try StillContent(file("a")) }?.isBusy == true)
    #expect(try !DatabaseFile.examine(file("a")).isStill)
  }

  @Test("writing to the main file or over the log is noticed", arguments: ["", "-wal"])
  func changed(suffix: String) throws {
    let store = try makeStore(file("a"), rows: 300, journal: "WAL")
    let path = try copyPending(store, to: "b")
    try makeOld(path)
    let content = try StillContent(path)
    var bytes = try contents(path + suffix)
    // Another salt, as a restarted log has.
    if suffix == "-wal" {
      for frame in stride(from: 32, to: bytes.count, by: 24 + 4096) { bytes[frame + 8] ^= 1 }
    }
    let handle = try FileHandle(forWritingTo: URL(filePath: path + suffix))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
    var page = [UInt8](repeating: 0, count: 4096)
    let error = sqliteError {
      for number in 0..<content.pageCount {
        _ = unsafe try page.fillBytes { (buffer) throws(SQLiteError) in
          unsafe try content.fill(buffer, at: number * 4096)
        }
      }
      try content.check()
    }
    #expect(error?.isBusy == true)
  }
}
