internal import CSQLite

/// Puts an open mode into force on a fresh connection, before the file is read.
extension Connection {
  func configure(_ mode: OpenMode) throws(SQLiteError) {
    do {
      try apply(mode.guards)
      wait(forLocks: mode.wait)
      try applyPragmas(of: mode)
    } catch {
      throw SQLiteError(error.extendedCode, "cannot be opened: \(error.message)", path: path)
    }
  }

  /// Leaves the -wal as it is when this connection closes, as a process does that is killed.
  ///
  /// Else the last connection "performs a checkpoint operation before closing"
  /// (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE); those that come by themselves are switched off, too.
  package func keepLogWhenClosed() throws(SQLiteError) {
    let code = unsafe csqlite_db_config(try handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    guard code == SQLITE_OK else {
      throw SQLiteError(code, "SQLite refuses to keep the -wal", path: path)
    }
    _ = unsafe sqlite3_wal_autocheckpoint(try handle(), 0)
  }

  /// Reads an overlay's log without a -shm, and leaves it as it is.
  ///
  /// "If EXCLUSIVE locking mode was set prior to the first WAL-mode database access, then SQLite
  /// never attempts to call any of the shared-memory methods" (Write-Ahead Logging): each
  /// connection keeps the index of the log in its own memory. Who writes is alone.
  private func readAsOverlay() throws(SQLiteError) {
    try execute("PRAGMA main.locking_mode = EXCLUSIVE")
    try keepLogWhenClosed()
  }

  /// Nothing that we make has a CHECK clause; in other files it is an expression by their author.
  ///
  /// A check of the file would run it, and call a backup damaged that is as the store was.
  private func applyPragmas(of mode: OpenMode) throws(SQLiteError) {
    // First of all: the locking mode counts for WAL only when set before the first read.
    if mode.locksExclusively { try execute("PRAGMA locking_mode = EXCLUSIVE") }
    if way == .overlay { try readAsOverlay() }
    try execute(
      """
      PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON; PRAGMA ignore_check_constraints = ON
      """)
    guard mode.access != .readOnly else { return }
    // A log that was cut off ends with a whole commit, and who needs more than that syncs it once.
    let durability = isOverlay ? .off : mode.durability
    // From here on the schema is read. SQLite would take 2 MB for pages, and as much for what it
    // sorts; what is written here is written in order, and is no slower with less.
    try execute(
      """
      PRAGMA cache_size = -1500;
      PRAGMA secure_delete = OFF;
      PRAGMA synchronous = \(durability.rawValue);
      PRAGMA fullfsync = \(durability != .off);
      PRAGMA checkpoint_fullfsync = \(durability != .off);
      """)
    if way == .overlay { keepLogShort(mode.longestLog) }
    guard mode.access == .create else { return }
    // "The auto-vacuum mode must be set before any tables are created" (PRAGMA auto_vacuum).
    try execute(
      "PRAGMA page_size = \(mode.pageSize); PRAGMA auto_vacuum = \(mode.autoVacuum)")
  }

  private func apply(_ guards: Guards) throws(SQLiteError) {
    let handle = unsafe try handle()
    let switches: [(Int32, Bool)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, true),
      (SQLITE_DBCONFIG_ENABLE_FKEY, false),
      (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
      (SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
      (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, guards.triggers),
      (SQLITE_DBCONFIG_ENABLE_VIEW, guards.views),
      (SQLITE_DBCONFIG_DQS_DML, false),
      (SQLITE_DBCONFIG_DQS_DDL, guards.looseQuotesInSchema),
    ]
    for (verb, isOn) in switches {
      let code = unsafe csqlite_db_config(handle, verb, isOn ? 1 : 0)
      guard code == SQLITE_OK else {
        throw SQLiteError(code, "SQLite refuses setting \(verb)", path: path)
      }
    }
    let limits: [(Int32, Int32)] = [
      (SQLITE_LIMIT_LENGTH, guards.longestValue),
      (SQLITE_LIMIT_SQL_LENGTH, guards.longestStatement),
      (SQLITE_LIMIT_EXPR_DEPTH, guards.expressionDepth),
      (SQLITE_LIMIT_VDBE_OP, guards.programLength),
      (SQLITE_LIMIT_ATTACHED, guards.attached),
    ]
    for (limit, value) in limits { _ = unsafe sqlite3_limit(handle, limit, value) }
  }
}
