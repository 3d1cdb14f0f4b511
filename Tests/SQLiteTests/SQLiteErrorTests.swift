import SQLite
import TestSupport
import Testing

@Suite("Errors") struct SQLiteErrorTests {
  @Test(
    "codes have names, and say what kind of failure they are",
    arguments: [
      (5, "SQLITE_BUSY", \.isBusy), (6, "SQLITE_LOCKED", \.isBusy),
      (517, "SQLITE_BUSY_SNAPSHOT", \.isBusy), (11, "SQLITE_CORRUPT", \.isCorrupt),
      (26, "SQLITE_NOTADB", \.isCorrupt), (13, "SQLITE_FULL", \.isFull),
      (778, "SQLITE_IOERR_WRITE", \.isIO), (8, "SQLITE_READONLY", \.isReadOnly),
      (1544, "SQLITE_READONLY_DIRECTORY", \.isReadOnly), (14, "SQLITE_CANTOPEN", \.isCannotOpen),
      (9, "SQLITE_INTERRUPT", \.isInterrupted), (2067, "SQLITE_CONSTRAINT_UNIQUE", \.isConstraint),
      (18, "SQLITE_TOOBIG", \.isTooBig), (7, "SQLITE_NOMEM", \.isOutOfMemory),
      (21, "SQLITE_MISUSE", \.isMisuse), (23, "SQLITE_AUTH", \.isForbidden),
    ] as [(Int32, String, KeyPath<SQLiteError, Bool> & Sendable)])
  func kinds(code: Int32, name: String, kind: KeyPath<SQLiteError, Bool> & Sendable) {
    let error = SQLiteError(code, "message")
    #expect(error.name == name)
    #expect(error[keyPath: kind])
    #expect(!SQLiteError(1, "message")[keyPath: kind])
  }

  @Test("an unknown extended code has its primary code's name")
  func unknown() {
    #expect(SQLiteError(11 | 99 << 8, "m").name == "SQLITE_CORRUPT")
    #expect(SQLiteError(99, "m").name == "SQLITE_99")
  }

  @Test("the text names the file, the reason, the statement and what to do")
  func text() {
    let error = SQLiteError(5, "database is locked", sql: "SELECT 1", path: "/a.sqlite")
    #expect(
      "\(error)" == """
        /a.sqlite: database is locked (SQLITE_BUSY), in: SELECT 1; \
        quit the application that has the file open and try again
        """)
  }

  @Test("a statement that cannot be prepared is quoted", .temporaryFolder)
  func quoted() throws {
    let store = try makeStore(file("a"))
    let error = sqliteError { _ = try store.prepare("SELECT nothing FROM t") }
    #expect(error?.sql == "SELECT nothing FROM t")
    #expect(error?.message == "no such column: nothing")
    #expect(error?.path == store.path)
  }
}
