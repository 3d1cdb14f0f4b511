internal import CSQLite

/// A prepared statement: bind, step, read the row, reset.
///
/// It keeps its connection alive and is finalized, or put to rest for the next use, when it goes.
@safe package final class Statement {
  /// The connection it was prepared on.
  package let connection: Connection
  /// Its text.
  package let sql: String
  let handle: OpaquePointer
  private let isCached: Bool

  /// Prepares one statement; more than one in the text is a mistake.
  init(_ connection: Connection, _ sql: String, isCached: Bool) throws(SQLiteError) {
    if isCached, let resting = unsafe connection.takeIdle(sql) {
      unsafe handle = resting
    } else {
      unsafe handle = try Self.prepare(connection, sql, isCached: isCached)
    }
    self.connection = connection
    self.sql = sql
    self.isCached = isCached
  }

  deinit {
    if isCached {
      unsafe connection.rest(handle, sql: sql)
    } else {
      _ = unsafe sqlite3_finalize(handle)
    }
  }

  private static func prepare(
    _ connection: Connection, _ sql: String, isCached: Bool
  ) throws(SQLiteError) -> OpaquePointer {
    let database = unsafe try connection.handle()
    let flags = isCached ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    var handle: OpaquePointer?
    var code = SQLITE_OK
    var hasTail = false
    unsafe sql.withCString { text in
      var tail: UnsafePointer<CChar>?
      unsafe code = sqlite3_prepare_v3(database, text, -1, flags, &handle, &tail)
      guard let tail = unsafe tail else { return }
      hasTail = !isBlank(sql.utf8.dropFirst(unsafe tail - text))
    }
    guard code == SQLITE_OK else {
      throw unsafe .last(of: database, sql: sql, path: connection.path)
    }
    guard let handle = unsafe handle, !hasTail else {
      _ = unsafe sqlite3_finalize(handle)
      throw .misuse("one statement was expected, and one only", sql: sql)
    }
    return unsafe handle
  }

  /// Whether this may follow a statement; a NUL, at which SQLite stops reading, may not.
  private static func isBlank(_ tail: some Sequence<UInt8>) -> Bool {
    tail.allSatisfy { " \t\r\n;".utf8.contains($0) }
  }

  /// Goes to the next row; false when there is none.
  @discardableResult
  package func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error()
    }
  }

  /// Back to before the first row; what is bound stays.
  package func reset() { _ = unsafe sqlite3_reset(handle) }

  /// Binds NULL to every parameter.
  package func clear() { _ = unsafe sqlite3_clear_bindings(handle) }

  /// Runs it to its end and resets it; gives back the rows an INSERT, UPDATE or DELETE changed.
  @discardableResult
  package func run() throws(SQLiteError) -> Int {
    defer { reset() }
    while try step() {}
    return connection.changes
  }

  /// The row it stands on; every column is NULL when it stands on none.
  package var row: Row { Row(self) }

  /// Hands each row, good inside the closure only, to `body`, then resets.
  package func forEach(_ body: (borrowing Row) throws -> Void) throws {
    defer { reset() }
    let row = Row(self)
    while try step() { try body(row) }
  }

  /// Whether it leaves the file as it is ("makes no direct changes", C API).
  package var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }

  /// The rows that it has gone through in scans of whole tables, since this was last asked.
  package func takeScannedRows() -> Int {
    Int(unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
  }

  /// Whether it is between its first step and its reset.
  package var isRunning: Bool { unsafe sqlite3_stmt_busy(handle) != 0 }

  /// The error of the last call, with this statement's text.
  package func error() -> SQLiteError {
    unsafe .last(of: sqlite3_db_handle(handle), sql: sql, path: connection.path)
  }

  /// Where the C handle is, for the row loop in C; good as long as the statement lives.
  package var address: UInt { unsafe UInt(bitPattern: handle) }
}
