import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Exchanging the pages that differ", .temporaryFolder) struct PageExchangeTests {
  /// A connection as a swap has it: alone, in rollback mode, with the lock.
  private func locked(_ path: String) throws -> Connection {
    var mode = OpenMode.foreignWritable
    mode.canHoldLock = true
    let store = try Connection(path: path, mode: mode)
    try store.execute("BEGIN EXCLUSIVE; SELECT 1 FROM sqlite_master LIMIT 1; ROLLBACK")
    _ = try store.setJournalMode("DELETE")
    try store.execute("BEGIN EXCLUSIVE; ROLLBACK")
    return store
  }

  /// Does everything, up to the end of the journal where it is not `whole`.
  private func exchange(_ store: Connection, for staged: Connection, isWhole: Bool = true) throws {
    var exchange = try #require(try store.exchange(for: staged))
    let journal = file("a-journal")
    try store.withLockHeld {
      if exists(journal) { try FileManager.default.removeItem(atPath: journal) }
      try exchange.writeJournal(journal) { _ in }
      try exchange.writePages()
      guard isWhole else { throw CancellationError() }
      try FileManager.default.removeItem(atPath: journal)
    }
  }

  /// What the old and the new content are made of: rows, and statements after them.
  private static let changes: [(old: Int, sql: String)] = [
    (500, "UPDATE t SET v = 'x' WHERE k % 50 = 0"),
    (500, "DELETE FROM t WHERE k > 20; PRAGMA incremental_vacuum"),
    (5, "INSERT INTO t (v) SELECT zeroblob(3000) FROM sqlite_master, t, t AS u, t AS w"),
    (500, "DROP TABLE t; CREATE TABLE u (a); INSERT INTO u VALUES (1)"),
    (0, "CREATE INDEX i ON t (v)"), (300, "SELECT 1"),
  ]

  @Test(
    "the store has then what SQLite's own backup gives it, page for page",
    arguments: changes.indices, [512, 4096, 65_536])
  func same(index: Int, pageSize: Int) throws {
    let change = Self.changes[index]
    try makeStore(file("a"), rows: change.old, pageSize: pageSize, journal: "WAL").close()
    try FileManager.default.copyItem(atPath: file("a"), toPath: file("b"))
    try FileManager.default.copyItem(atPath: file("a"), toPath: file("staged"))
    let staged = try Connection(path: file("staged"), mode: .own(create: false))
    try staged.execute(change.sql)
    let backup = try locked(file("b"))
    try staged.copy(to: backup, pagesPerStep: -1)
    let store = try locked(file("a"))
    try exchange(store, for: staged)
    #expect(try store.pageImage() == staged.pageImage())
    #expect(try store.pageImage() == backup.pageImage())
    #expect(try store.problems(.full) == [])
    try store.close()
    let again = try Connection(path: file("a"), mode: .foreign)
    #expect(try again.pageImage() == staged.pageImage())
    #expect(!exists(file("a-journal")))
  }

  @Test(
    "SQLite puts the old content back when the journal was left", arguments: changes.indices)
  func rolledBack(index: Int) throws {
    let change = Self.changes[index]
    let old = try makeStore(file("a"), rows: change.old)
    let image = try old.pageImage()
    try old.close()
    try FileManager.default.copyItem(atPath: file("a"), toPath: file("staged"))
    let staged = try Connection(path: file("staged"), mode: .own(create: false))
    try staged.execute(change.sql)
    let store = try locked(file("a"))
    #expect(throws: CancellationError.self) {
      try exchange(store, for: staged, isWhole: false)
    }
    try store.close()
    #expect(exists(file("a-journal")))
    let next = try Connection(path: file("a"), mode: .own(create: false))
    #expect(try next.pageImage() == image)
    #expect(try next.problems(.full) == [])
    #expect(!exists(file("a-journal")))
  }

  @Test("a journal that was cut off before its header does not count") func unfinished() throws {
    let old = try makeStore(file("a"), rows: 100)
    let image = try old.pageImage()
    try old.close()
    try write(
      Array(repeating: 0, count: 512) + Array(repeating: 7, count: 5000), to: file("a-journal"))
    let next = try Connection(path: file("a"), mode: .own(create: false))
    #expect(try next.pageImage() == image)
  }

  @Test("other processes wait meanwhile, and find the new content after it") func others()
    async throws
  {
    try makeStore(file("a"), rows: 100).close()
    try FileManager.default.copyItem(atPath: file("a"), toPath: file("staged"))
    let staged = try Connection(path: file("staged"), mode: .own(create: false))
    try staged.execute("DELETE FROM t WHERE k > 10")
    let store = try locked(file("a"))
    var exchange = try #require(try store.exchange(for: staged))
    let path = file("a")
    try store.withLockHeld {
      try exchange.writeJournal(path + "-journal") { _ in }
      try exchange.writePages()
      try FileManager.default.removeItem(atPath: path + "-journal")
    }
    await #expect(processExitsWith: .exitCode(4)) { [path = file("a") as String] in
      let other = try Connection(path: path, mode: .foreign)
      let error = sqliteError { _ = try other.integer("SELECT count(*) FROM t") }
      _exit(error?.isBusy == true ? 4 : 5)
    }
    #expect(try store.integer("SELECT count(*) FROM t") == 10)
    try store.close()
    await #expect(processExitsWith: .exitCode(4)) { [path = file("a") as String] in
      let other = try Connection(path: path, mode: .foreign)
      _exit(try other.integer("SELECT count(*) FROM t") == 10 ? 4 : 5)
    }
  }

  @Test("a process that asks in the middle of it waits, too") func meanwhile() async throws {
    try makeStore(file("a"), rows: 100).close()
    let store = try locked(file("a"))
    let path = file("a")
    try store.withLockHeld {
      _ = try store.integer("SELECT count(*) FROM t")
      let shell = Process()
      shell.executableURL = URL(filePath: "/usr/bin/env")
      shell.arguments = ["sqlite3", path, "SELECT count(*) FROM t"]
      let errors = Pipe()
      (shell.standardError, shell.standardOutput) = (errors, Pipe())
      try shell.run()
      shell.waitUntilExit()
      let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      #expect(shell.terminationStatus == 127 || said.contains("locked"))
    }
    try store.close()
  }

  @Test("pages of another size are left to SQLite") func otherSize() throws {
    try makeStore(file("a"), rows: 10, pageSize: 4096).close()
    let staged = try makeStore(file("staged"), rows: 10, pageSize: 8192)
    let store = try locked(file("a"))
    #expect(try store.exchange(for: staged) == nil)
  }

  @Test("without the lock nothing is written") func unlocked() throws {
    let store = try makeStore(file("a"), rows: 10)
    #expect(throws: SQLiteError.self) {
      try store.withLockHeld { Issue.record("it was not locked") }
    }
  }
}
