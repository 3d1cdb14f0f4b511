internal import CSQLite

/// How a transaction begins.
package enum TransactionKind: String, Sendable {
  /// Locks are taken when they are first needed.
  case deferred = "DEFERRED"
  /// The write lock is taken at once.
  case immediate = "IMMEDIATE"
  /// In rollback mode readers are kept out as well.
  case exclusive = "EXCLUSIVE"
}

/// What a connection holds at the moment, by `sqlite3_txn_state`.
package enum TransactionState: Sendable {
  case none, read, write
}

extension Connection {
  /// Whether BEGIN has been said and neither COMMIT nor ROLLBACK.
  package var isInTransaction: Bool {
    unsafe handleIfOpen.map { unsafe sqlite3_get_autocommit($0) == 0 } ?? false
  }

  /// Which transaction is open on a schema.
  package func transactionState(of schema: String = "main") -> TransactionState {
    guard let handle = unsafe handleIfOpen else { return .none }
    return switch unsafe sqlite3_txn_state(handle, schema) {
    case SQLITE_TXN_WRITE: .write
    case SQLITE_TXN_READ: .read
    default: .none
    }
  }

  /// Runs `body` as one transaction: all of it is kept, or, when it throws, none of it.
  ///
  /// Inside another transaction it is a savepoint of that one.
  package func transaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws -> Result
  ) throws -> Result {
    if isInTransaction { return try savepoint(body) }
    return try enclosed(
      begin: "BEGIN \(kind.rawValue)", commit: "COMMIT", rollback: "ROLLBACK", body)
  }

  /// Runs `body`, which only reads, as one read transaction.
  ///
  /// Else each statement takes SQLite's lock for itself, looks for a journal and a log, and reads
  /// whether another process has written: nine calls to the system. Who reads without locks has
  /// none of that to save.
  package func readingAtOnce<Result>(_ body: () throws -> Result) throws -> Result {
    try isInTransaction || way != nil ? body() : transaction(.deferred, body)
  }

  /// Runs `body` as the beginning of a transaction that stays open; when it throws, none of it is
  /// kept.
  package func beginTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try enclosed(begin: "BEGIN IMMEDIATE", commit: nil, rollback: "ROLLBACK", body)
  }

  /// Keeps what the open transaction has done; when that fails, none of it.
  package func commit() throws {
    try enclosed(begin: nil, commit: "COMMIT", rollback: "ROLLBACK") {}
  }

  /// Undoes the transaction that is open.
  package func rollBack() throws(SQLiteError) {
    forgetSchemas()
    try execute("ROLLBACK")
  }

  private func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    // One name will do: "the most recent savepoint with a matching name" is meant (SAVEPOINT).
    try enclosed(
      begin: "SAVEPOINT nested", commit: "RELEASE nested",
      rollback: "ROLLBACK TO nested; RELEASE nested", body)
  }

  private func enclosed<Result>(
    begin: String?, commit: String?, rollback: String, _ body: () throws -> Result
  ) throws -> Result {
    if let begin { try run(begin, []) }
    do {
      let result = try body()
      // Without this a body that swallowed the error would continue in autocommit, unnoticed.
      guard isInTransaction else {
        throw SQLiteError(
          ExtendedCode.abortRollback, "SQLite has rolled the transaction back",
          path: path)
      }
      if let commit { try run(commit, []) }
      return result
    } catch {
      // "SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM ... might cause an automatic rollback"
      // (Transactions): then there is nothing to roll back, and ROLLBACK would be an error of its
      // own.
      if isInTransaction { try? execute(rollback) }
      forgetSchemas()
      throw error
    }
  }
}
