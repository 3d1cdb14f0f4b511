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
    "SQLite puts the old content back, byte for byte, when the journal was left",
    arguments: changes.indices, [512, 4096, 65_536])
  func rolledBack(index: Int, pageSize: Int) throws {
    let change = Self.changes[index]
    let old = try makeStore(file("a"), rows: change.old, pageSize: pageSize)
    let image = try old.pageImage()
    try old.close()
    let bytes = try contents(file("a"))
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
    try next.close()
    #expect(try contents(file("a")) == bytes)
  }

  @Test(
    "reserved bytes and the vacuum are those of the new content", arguments: [0, 1, 2],
    [(true, false), (false, true), (true, true)])
  func unusual(vacuum: Int, isReserved: (old: Bool, new: Bool)) throws {
    func make(_ name: String, _ isReserved: Bool, rows: Int) throws -> Connection {
      let store =
        try isReserved
        ? makeReserved(file(name), pageSize: 1024, vacuum: vacuum)
        : makeStore(file(name), rows: 0, pageSize: 1024)
      try fill(store, rows: rows)
      return store
    }
    try make("a", isReserved.old, rows: 200).close()
    let staged = try make("staged", isReserved.new, rows: 130)
    let bytes = try contents(file("a"))
    for isWhole in [false, true] {
      let store = try locked(file("a"))
      if isWhole {
        try exchange(store, for: staged)
        #expect(try store.pageImage() == staged.pageImage())
        #expect(try store.problems(.full) == [])
        #expect(try store.integer("SELECT count(*) FROM t") == 130)
      } else {
        #expect(throws: CancellationError.self) {
          try exchange(store, for: staged, isWhole: false)
        }
      }
      try store.close()
      let next = try Connection(path: file("a"), mode: .own(create: false))
      #expect(try next.integer("SELECT count(*) FROM t") == (isWhole ? 130 : 200))
      try next.close()
      if !isWhole { #expect(try contents(file("a")) == bytes) }
    }
  }

  /// Makes a database longer than its content, by a hole: SQLite takes what is not there for zeros.
  private func lengthen(_ path: String, toPages count: Int, of pageSize: Int) throws {
    var header = Array(try contents(path)[..<100])
    for (offset, place) in [28, 29, 30, 31].enumerated() {
      header[place] = UInt8(truncatingIfNeeded: count >> (24 - 8 * offset))
    }
    let handle = try FileHandle(forUpdating: URL(filePath: path))
    defer { try? handle.close() }
    try handle.write(contentsOf: header)
    try handle.truncate(atOffset: UInt64(count * pageSize))
  }

  @Test(
    "beyond the page of the locks, which is never written, all is the same",
    arguments: [(16_380, 16_400), (16_400, 16_380), (16_390, 16_400)])
  func lockPage(counts: (old: Int, new: Int)) throws {
    let size = 65_536
    for (name, count, rows) in [("a", counts.old, 30), ("staged", counts.new, 50)] {
      try makeStore(file(name), rows: rows, pageSize: size).close()
      try lengthen(file(name), toPages: count, of: size)
      let handle = try FileHandle(forUpdating: URL(filePath: file(name)))
      // Its last page, and the one that the locks are in, which no copy may take along.
      for place in [(count - 1) * size, 1_073_741_824] where place < count * size {
        try handle.seek(toOffset: UInt64(place))
        try handle.write(contentsOf: Data(name.utf8))
      }
      try handle.close()
    }
    let staged = try Connection(path: file("staged"), mode: .foreign)
    let (old, new) = try (
      Connection(path: file("a"), mode: .foreign).pageImage(), staged.pageImage()
    )
    for isWhole in [false, true] {
      let store = try locked(file("a"))
      if isWhole {
        try exchange(store, for: staged)
        #expect(try store.pageImage() == new)
      } else {
        #expect(throws: CancellationError.self) {
          try exchange(store, for: staged, isWhole: false)
        }
      }
      try store.close()
      let next = try Connection(path: file("a"), mode: .own(create: false))
      #expect(try next.pageImage() == (isWhole ? new : old))
      try next.close()
      let length = try FileManager.default.attributesOfItem(atPath: file("a"))[.size] as? Int
      #expect(length == (isWhole ? counts.new : counts.old) * size)
    }
  }

  @Test("the journal says how many pages it has when they are on the disk, and no earlier")
  func order() async throws {
    try makeStore(file("a"), rows: 100).close()
    try FileManager.default.copyItem(atPath: file("a"), toPath: file("staged"))
    let change = try Connection(path: file("staged"), mode: .own(create: false))
    try change.execute("DELETE FROM t WHERE k > 10")
    try change.close()
    await #expect(processExitsWith: .success) {
      [store = file("a") as String, other = file("staged") as String, log = file("log") as String]
      in
      _ = unsafe setenv("PIPELINE_FAULTS_LOG", log, 1)
      let staged = try Connection(path: other, mode: .foreign)
      var mode = OpenMode.foreignWritable
      mode.canHoldLock = true
      let locked = try Connection(path: store, mode: mode)
      try locked.execute("BEGIN EXCLUSIVE; SELECT 1 FROM sqlite_master LIMIT 1; ROLLBACK")
      var exchange = try #require(try locked.exchange(for: staged))
      try locked.withLockHeld {
        try exchange.writeJournal(store + "-journal") { _ in }
        try exchange.writePages()
        try FileManager.default.removeItem(atPath: store + "-journal")
      }
    }
    let calls = try String(contentsOfFile: file("log"), encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: "\t").dropFirst().joined(separator: " ") }
    let journal = calls.filter { $0.hasSuffix("/a-journal") }.map { $0.prefix { $0 != " " } }
    #expect(journal.first == "open")
    #expect(journal.suffix(3) == ["fsync", "pwrite", "fsync"])
    let last = try #require(calls.lastIndex { $0.hasSuffix("/a-journal") })
    let folder = try #require(calls.lastIndex { $0.hasPrefix("fsync") && $0.hasSuffix("/.") })
    let first = try #require(calls.firstIndex { $0.hasPrefix("xWrite") && $0.hasSuffix("/a") })
    #expect(last < folder && folder < first)
    #expect(calls.last?.hasPrefix("xSync") == true)
  }

  @Test("without a way to keep the lock nothing is written into the file") func noWay() throws {
    try makeStore(file("a"), rows: 10).close()
    let staged = try makeStore(file("staged"), rows: 10)
    let store = try Connection(path: file("a"), mode: .foreignWritable)
    try store.execute("BEGIN EXCLUSIVE; SELECT 1 FROM sqlite_master LIMIT 1; ROLLBACK")
    #expect(try store.exchange(for: staged) == nil)
    #expect(throws: SQLiteError.self) {
      try store.withLockHeld { Issue.record("the lock could not be kept") }
    }
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
