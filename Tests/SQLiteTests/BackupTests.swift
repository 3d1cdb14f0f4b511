import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Backups", .temporaryFolder) struct BackupTests {
  @Test("a copy has every row, those still in the -wal included", arguments: ["DELETE", "WAL"])
  func copy(journal: String) throws {
    let store = try makeStore(file("a"), rows: 500, journal: journal)
    let target = try Connection(path: file("b"), mode: .own(create: true))
    var steps: [Int] = []
    try store.copy(to: target, pagesPerStep: 5) { done, total in
      steps.append(done)
      return done <= total
    }
    #expect(steps.count > 2 && steps == steps.sorted())
    #expect(try target.integer("SELECT count(*) FROM t") == 500)
    #expect(try target.problems(.full) == [])
  }

  @Test("a copy that is stopped leaves the destination as it was")
  func cancel() throws {
    let store = try makeStore(file("a"), rows: 500)
    let target = try makeStore(file("b"), rows: 7)
    let error = sqliteError { try store.copy(to: target, pagesPerStep: 2) { done, _ in done < 4 } }
    #expect(error?.isInterrupted == true)
    #expect(try target.integer("SELECT count(*) FROM t") == 7)
    #expect(try target.problems(.full) == [])
  }

  @Test("a destination that is being read is left alone")
  func inUse() throws {
    let store = try makeStore(file("a"), rows: 500)
    let target = try makeStore(file("b"))
    let reading = try target.prepare("SELECT * FROM t")
    try reading.step()
    #expect(sqliteError { try store.copy(to: target) }?.message.contains("in use") == true)
    reading.reset()
    try store.copy(to: target)
    #expect(try target.integer("SELECT count(*) FROM t") == 500)
  }

  @Test("a source that another process has locked is waited for, then busy")
  func busy() async throws {
    let store = try makeStore(file("a"))
    try store.execute("BEGIN EXCLUSIVE")
    await #expect(processExitsWith: .exitCode(4)) { [path = file("a") as String] in
      let source = try Connection(path: path, mode: .foreign)
      let target = try Connection(inMemory: .own)
      let error = sqliteError { try source.copy(to: target, wait: .milliseconds(30)) }
      exit(error?.isBusy == true ? 4 : 1)
    }
    try store.execute("ROLLBACK")
  }

  @Test("a backup not finished is undone when it goes")
  func abandoned() throws {
    let store = try makeStore(file("a"), rows: 500)
    let target = try makeStore(file("b"))
    do {
      let backup = try Backup(from: store, to: target)
      #expect(try backup.step(pages: 1) == .more)
      #expect(backup.remaining > 0 && backup.pageCount > backup.remaining)
    }
    #expect(try target.integer("SELECT count(*) FROM t") == 3)
    try target.close()
  }

  @Test("a copy takes the page size along")
  func pageSize() throws {
    let store = try makeStore(file("a"), rows: 500, pageSize: 1024)
    let target = try makeStore(file("b"), pageSize: 8192)
    try store.copy(to: target)
    // The pragma alone does not look at the file again.
    #expect(try target.integer("SELECT count(*) FROM t") == 500)
    #expect(try target.integer("PRAGMA page_size") == 1024)
  }
}
