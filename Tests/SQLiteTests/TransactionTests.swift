import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Transactions", .temporaryFolder) struct TransactionTests {
  private struct Stop: Error, Equatable {}

  private func count(_ store: Connection) throws -> Int64? {
    try store.integer("SELECT count(*) FROM t")
  }

  @Test(
    "what a transaction did is kept",
    arguments: [.deferred, .immediate, .exclusive] as [TransactionKind])
  func commits(kind: TransactionKind) throws {
    let store = try makeStore(file("a"))
    let result = try store.transaction(kind) {
      #expect(store.isInTransaction)
      #expect(store.transactionState() == (kind == .deferred ? .none : .write))
      try fill(store, rows: 2)
      return "done"
    }
    #expect(result == "done")
    #expect(!store.isInTransaction)
    #expect(try count(store) == 5)
  }

  @Test("what only reads does so in one transaction, or in the one that is open")
  func readsAtOnce() throws {
    let store = try makeStore(file("a"))
    try store.readingAtOnce {
      #expect(try store.isInTransaction && count(store) == 3)
      #expect(store.transactionState() == .read)
      try store.readingAtOnce {
        let rows = try count(store)
        #expect(rows == 3)
      }
      #expect(store.isInTransaction)
    }
    #expect(!store.isInTransaction)
    #expect(throws: Stop()) { try store.readingAtOnce { throw Stop() } }
    #expect(!store.isInTransaction)
  }

  @Test("a transaction whose body throws leaves nothing, and throws the same")
  func rollsBack() throws {
    let store = try makeStore(file("a"))
    #expect(throws: Stop()) {
      try store.transaction {
        try fill(store, rows: 2)
        throw Stop()
      }
    }
    #expect(!store.isInTransaction)
    #expect(try count(store) == 3)
  }

  @Test("a transaction inside another can fail alone")
  func nested() throws {
    let store = try makeStore(file("a"))
    try store.transaction {
      try fill(store, rows: 1)
      try? store.transaction {
        try fill(store, rows: 10)
        try store.transaction { try fill(store, rows: 100) }
        throw Stop()
      }
      try store.transaction { try fill(store, rows: 1000) }
    }
    #expect(try count(store) == 1004)
  }

  @Test("when SQLite itself has rolled back, the error that caused it arrives")
  func ownRollback() throws {
    let store = try makeStore(file("a"))
    let error = sqliteError {
      try store.transaction {
        try fill(store, rows: 2)
        try store.execute("INSERT OR ROLLBACK INTO t (k) VALUES (1)")
      }
    }
    #expect(error?.isConstraint == true)
    #expect(try count(store) == 3)
  }

  @Test("a body that swallows such an error does not pass for done")
  func swallowed() throws {
    let store = try makeStore(file("a"))
    let error = sqliteError {
      try store.transaction {
        try fill(store, rows: 2)
        try? store.execute("INSERT OR ROLLBACK INTO t (k) VALUES (1)")
      }
    }
    #expect(error?.name == "SQLITE_ABORT_ROLLBACK")
    #expect(try count(store) == 3)
  }

  @Test("a transaction cut short by a crash leaves nothing behind", arguments: ["DELETE", "WAL"])
  func crash(journal: String) async throws {
    try makeStore(file("a"), journal: journal).close()
    await #expect(processExitsWith: .exitCode(9)) { [path = file("a") as String] in
      let store = try Connection(path: path, mode: .own(create: false))
      try store.transaction {
        // A small cache spills: the journal and the file are both half-written.
        try store.execute("PRAGMA cache_size = 5; UPDATE t SET v = 'changed'")
        try fill(store, rows: 2000)
        _exit(9)
      }
    }
    #expect(exists(file(journal == "WAL" ? "a-wal" : "a-journal")))
    let store = try Connection(path: file("a"), mode: .own(create: false))
    #expect(try count(store) == 3)
    #expect(try store.integer("SELECT count(*) FROM t WHERE v = 'changed'") == 0)
    #expect(try store.problems(.full) == [])
  }

  @Test("a lock of another process is an error that says what to do")
  func busy() async throws {
    let store = try makeStore(file("a"))
    try store.execute("BEGIN EXCLUSIVE")
    await #expect(processExitsWith: .exitCode(4)) { [path = file("a") as String] in
      var mode = OpenMode.foreign
      mode.wait = .milliseconds(20)
      let other = try Connection(path: path, mode: mode)
      let error = sqliteError { _ = try other.integer("SELECT count(*) FROM t") }
      let isPlain = error?.description.contains("quit the application") == true
      exit(error?.isBusy == true && isPlain ? 4 : 1)
    }
  }
}
