import Foundation
import SQLite
import TestSupport
import Testing

@Suite("Connections", .temporaryFolder) struct ConnectionTests {
  @Test(
    "a new file has the page size and auto_vacuum that were asked for", arguments: [512, 65536])
  func settings(pageSize: Int) throws {
    let store = try makeStore(file("a.sqlite"), pageSize: pageSize)
    #expect(try store.integer("PRAGMA page_size") == Int64(pageSize))
    #expect(try store.integer("PRAGMA auto_vacuum") == 2)
    #expect(store.file == nil)
  }

  @Test("our own files are durable by default")
  func durable() throws {
    let store = try Connection(path: file("a.sqlite"), mode: .own(create: true))
    #expect(try store.integer("PRAGMA synchronous") == 2)
    #expect(try store.integer("PRAGMA fullfsync") == 1)
  }

  @Test("a new file is never made over an existing one")
  func createOverExisting() throws {
    try makeStore(file("a.sqlite")).close()
    let error = sqliteError { _ = try Connection(path: file("a.sqlite"), mode: .own(create: true)) }
    #expect(error?.refusal == .exists)
  }

  @Test("a file that is not there is not made by opening it")
  func missing() throws {
    let error = sqliteError { _ = try Connection(path: file("no.sqlite"), mode: .foreign) }
    #expect(error?.refusal == .missing)
    #expect(!exists(file("no.sqlite")))
  }

  @Test(
    "any name a file can have works, opened and attached",
    arguments: [
      "with space", "quo'te", "quo\"te", "ques?tion=1", "ha#sh", "per%cent%41", "new\nline",
      "emoji 🗄️", "semi;colon", "back\\slash", "file:x", "&mode=rw", "e\u{301}",
    ])
  func strangeNames(name: String) throws {
    try makeStore(file(name), rows: 7).close()
    let store = try Connection(path: file(name), mode: .foreign)
    #expect(try store.integer("SELECT count(*) FROM t") == 7)
    try store.close()
    let memory = try Connection(inMemory: .own)
    try memory.attach(file(name), as: "it's \"x\"", .readOnly)
    #expect(try memory.integer("SELECT count(*) FROM \"it's \"\"x\"\"\".t") == 7)
    let beside = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.url.path)
    #expect(beside.count == 1)
  }

  @Test("a file in a folder that is not there is not made")
  func noFolder() {
    let error = sqliteError { _ = try Connection(path: file("no/a"), mode: .own(create: true)) }
    #expect(error?.refusal == .missing)
  }

  @Test("a path with a NUL is refused")
  func nul() {
    let error = sqliteError {
      _ = try Connection(path: file("a") + "\0b", mode: .own(create: true))
    }
    #expect(error?.refusal == .path)
  }

  @Test("a second connection to the same file is refused, by whatever name", arguments: [0, 1, 2])
  func twice(way: Int) throws {
    let store = try makeStore(file("a.sqlite"))
    var other = file("a.sqlite")
    if way == 1 {
      other = file("link")
      try FileManager.default.createSymbolicLink(
        atPath: other, withDestinationPath: file("a.sqlite"))
    } else if way == 2 {
      other = file("hard")
      try FileManager.default.linkItem(atPath: file("a.sqlite"), toPath: other)
    }
    let error = sqliteError { _ = try Connection(path: other, mode: .foreign) }
    #expect(error?.refusal == .alreadyOpen)
    #expect(error?.description.contains("already") == true)
    #expect(sqliteError { try Connection(inMemory: .own).attach(other, as: "x", .readOnly) } != nil)
    #expect(sqliteError { _ = try DatabaseFile.examine(other) }?.refusal == .alreadyOpen)
    #expect(try store.integer("SELECT count(*) FROM t") == 3)
  }

  @Test("an attached file is open too, and free again when it is detached")
  func attached() throws {
    try makeStore(file("a.sqlite")).close()
    let memory = try Connection(inMemory: .own)
    try memory.attach(file("a.sqlite"), as: "a", .readOnly)
    let error = sqliteError { _ = try Connection(path: file("a.sqlite"), mode: .foreign) }
    #expect(error?.refusal == .alreadyOpen)
    #expect(sqliteError { try memory.execute("DELETE FROM a.t") }?.isReadOnly == true)
    try memory.detach("A")
    try memory.attach(file("a.sqlite"), as: "b", .readWrite)
    try memory.execute("DELETE FROM b.t")
    try memory.close()
    _ = try Connection(path: file("a.sqlite"), mode: .foreign)
  }

  @Test("a file whose opening failed is free again")
  func freeAfterFailure() throws {
    try write(Array("no database, but long enough to have a header".utf8), to: file("a"))
    for _ in 0..<2 {
      let error = sqliteError { _ = try Connection(path: file("a"), mode: .foreign) }
      #expect(error?.refusal == .notADatabase)
    }
  }

  @Test("a file is free again when its connection has gone")
  func released() throws {
    do { _ = try makeStore(file("a.sqlite")) }
    _ = try Connection(path: file("a.sqlite"), mode: .foreign)
  }

  @Test("closing says so when a statement is open, and works when it is gone")
  func closeWithStatement() throws {
    let store = try makeStore(file("a.sqlite"))
    var statement: Statement? = try store.prepare("SELECT * FROM t")
    #expect(sqliteError { try store.close() }?.isBusy == true)
    try #expect(statement?.step() == true)
    statement = nil
    try store.close()
    try store.close()
    #expect(sqliteError { try store.execute("SELECT 1") }?.isMisuse == true)
    #expect(!store.isInTransaction)
    #expect(store.changes == 0)
  }

  @Test("a statement keeps its connection alive")
  func statementKeeps() throws {
    let statement = try { try makeStore(file("a.sqlite")).prepare("SELECT count(*) FROM t") }()
    try #expect(statement.step())
    let rows = statement.row.integer(0)
    #expect(rows == 3)
  }

  @Test("two databases in memory have nothing to do with each other")
  func memory() throws {
    let first = try Connection(inMemory: .own)
    let second = try Connection(inMemory: .own)
    try first.execute("CREATE TABLE t (k)")
    #expect(sqliteError { try second.execute("SELECT * FROM t") } != nil)
  }

  @Test("a foreign file can be neither written nor made writable")
  func foreignIsReadOnly() throws {
    try makeStore(file("a.sqlite")).close()
    let before = try contents(file("a.sqlite"))
    let store = try Connection(path: file("a.sqlite"), mode: .foreign)
    #expect(sqliteError { try store.execute("DELETE FROM t") }?.isReadOnly == true)
    try store.close()
    #expect(try contents(file("a.sqlite")) == before)
  }

  @Test("the exclusive lock keeps another process from reading", arguments: ["DELETE", "WAL"])
  func exclusive(journal: String) async throws {
    try makeStore(file("a.sqlite"), journal: journal).close()
    let store = try Connection(path: file("a.sqlite"), mode: .foreignWritable)
    try store.transaction(.exclusive) { _ = try store.integer("SELECT count(*) FROM t") }
    // The lock outlives the transaction.
    await #expect(processExitsWith: .exitCode(5)) { [path = file("a.sqlite") as String] in
      let other = try Connection(path: path, mode: .foreign)
      let error = sqliteError { _ = try other.integer("SELECT count(*) FROM t") }
      exit(error?.isBusy == true ? 5 : 0)
    }
  }

  @Test("a store in a folder that cannot be written gives an error that says what to do")
  func readOnlyFolder() async throws {
    try makeStore(file("a.sqlite"), journal: "WAL").close()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o555], ofItemAtPath: TemporaryFolder.url.path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: TemporaryFolder.url.path)
    }
    await #expect(processExitsWith: .exitCode(7)) { [path = file("a.sqlite") as String] in
      // The superuser may write everywhere: the child becomes nobody.
      if geteuid() == 0, setuid(65_534) != 0 { exit(7) }
      let store = try Connection(path: path, mode: .foreign)
      let error = sqliteError { _ = try store.integer("SELECT count(*) FROM t") }
      exit(error?.description.contains("work on a copy") == true ? 7 : 1)
    }
  }
}
