import SQLite
import TestSupport
import Testing

@Suite("Errors") struct SQLiteErrorTests {
  /// The kinds of failure an error says it is.
  private func kinds(_ error: SQLiteError) -> [String] {
    let answers = [
      "busy": error.isBusy, "corrupt": error.isCorrupt, "full": error.isFull, "io": error.isIO,
      "read-only": error.isReadOnly, "cannot open": error.isCannotOpen,
      "interrupted": error.isInterrupted, "constraint": error.isConstraint,
      "too big": error.isTooBig, "no memory": error.isOutOfMemory,
      "misuse": error.isMisuse,
    ]
    return answers.filter(\.value).map(\.key)
  }

  @Test(
    "codes have names, and say what kind of failure they are",
    arguments: [
      (5, "SQLITE_BUSY", "busy"), (6, "SQLITE_LOCKED", "busy"),
      (517, "SQLITE_BUSY_SNAPSHOT", "busy"), (11, "SQLITE_CORRUPT", "corrupt"),
      (26, "SQLITE_NOTADB", "corrupt"), (13, "SQLITE_FULL", "full"),
      (778, "SQLITE_IOERR_WRITE", "io"), (8, "SQLITE_READONLY", "read-only"),
      (1544, "SQLITE_READONLY_DIRECTORY", "read-only"), (14, "SQLITE_CANTOPEN", "cannot open"),
      (9, "SQLITE_INTERRUPT", "interrupted"), (2067, "SQLITE_CONSTRAINT_UNIQUE", "constraint"),
      (18, "SQLITE_TOOBIG", "too big"), (7, "SQLITE_NOMEM", "no memory"),
      (21, "SQLITE_MISUSE", "misuse"),
    ] as [(Int32, String, String)])
  func names(code: Int32, name: String, kind: String) {
    let error = SQLiteError(code, "message")
    #expect(error.name == name)
    #expect(kinds(error) == [kind])
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
    let error = sqliteError { _ = try store.prepare("SELECT absent FROM t") }
    #expect(error?.sql == "SELECT absent FROM t")
    #expect(error?.message == "no such column: absent")
    #expect(error?.path == store.path)
  }
}
