import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("A store whose rows are in its -wal", .temporaryFolder)
struct PendingLogTests {
  @Test("the store has all rows, its main file alone the first ones") func leaves() throws {
    let (store, full) = (path("a.sqlite"), path("b.sqlite"))
    try make(store, rows: 1)
    try make(full, rows: 500)
    try PendingLog.leave(store, becoming: full)
    #expect(!FileManager.default.fileExists(atPath: full))
    try FileManager.default.copyItem(atPath: store, toPath: path("alone.sqlite"))
    #expect(try count(path("alone.sqlite")) == 1)
    #expect(try count(store) == 500)
    #expect(try count(store) == 500)
  }

  @Test("a store that is not there is reported by its name") func missing() throws {
    try make(path("b.sqlite"), rows: 1)
    #expect(throws: Failure.self) {
      try PendingLog.leave(path("none.sqlite"), becoming: path("b.sqlite"))
    }
  }

  private func path(_ name: String) -> String { TemporaryFolder.url.appending(path: name).path }

  private func make(_ path: String, rows: Int) throws {
    let connection = try Connection(path: path, mode: .own(create: true))
    try connection.execute("CREATE TABLE t (a TEXT)")
    for row in 0..<rows { try connection.run("INSERT INTO t VALUES (?1)", [.text("row \(row)")]) }
    try connection.close()
  }

  private func count(_ path: String) throws -> Int64? {
    let connection = try Connection(path: path, mode: .foreign)
    defer { try? connection.close() }
    return try connection.integer("SELECT count(*) FROM t")
  }
}
