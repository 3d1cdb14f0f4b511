internal import CSQLite

/// SQL in one line.
extension Connection {
  /// Prepares one statement, of its own or the one of the same text that was used before.
  package func prepare(_ sql: String, cached: Bool = false) throws(SQLiteError) -> Statement {
    try Statement(self, sql, isCached: cached)
  }

  /// Runs statements without parameters, as many as the text holds.
  package func execute(_ script: String) throws(SQLiteError) {
    // SQLite would stop reading there, and run half of what was meant.
    guard !script.utf8.contains(0) else { throw .misuse("the SQL contains a NUL", path: path) }
    let handle = unsafe try handle()
    guard unsafe sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else {
      throw unsafe reason(for: .last(of: handle, sql: script, path: path))
    }
  }

  /// Runs one statement with values; gives back how many rows an INSERT, UPDATE or DELETE changed.
  @discardableResult
  package func run(_ sql: String, _ values: [Value]) throws(SQLiteError) -> Int {
    let statement = try bound(sql, values)
    do { return try statement.run() } catch { throw reason(for: error) }
  }

  /// The first column of the first row; nil without a row.
  package func scalar(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Value? {
    let statement = try bound(sql, values)
    return try statement.step() ? try statement.row.value(0) : nil
  }

  /// The first column of the first row as an integer; nil without a row and for NULL.
  package func integer(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Int64? {
    let statement = try bound(sql, values)
    return try statement.step() ? statement.row.integer(0) : nil
  }

  /// The first column of the first row as a string; nil without a row and for NULL.
  package func string(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> String? {
    let statement = try bound(sql, values)
    return try statement.step() ? try statement.row.string(0) : nil
  }

  /// Hands each row to `body`.
  package func query(
    _ sql: String, _ values: [Value] = [], _ body: (borrowing Row) throws -> Void
  ) throws {
    try bound(sql, values).forEach(body)
  }

  /// All rows; for small answers.
  package func rows(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> [[Value]] {
    let statement = try bound(sql, values)
    var rows: [[Value]] = []
    while try statement.step() { rows.append(try statement.row.values()) }
    return rows
  }

  /// Asks for a journal mode, and gives back the one that is in force then.
  ///
  /// The change is written into the file when the statement ends, after its one row: it is stepped
  /// to its end, so that what fails there is known.
  @discardableResult
  package func setJournalMode(_ mode: String) throws(SQLiteError) -> String {
    try rows("PRAGMA main.journal_mode = \(mode)").first?.first?.string ?? ""
  }

  private func bound(_ sql: String, _ values: [Value]) throws(SQLiteError) -> Statement {
    let statement = try prepare(sql, cached: true)
    try statement.bind(values)
    return statement
  }
}

/// What the connection knows about its last statements.
extension Connection {
  /// Rows changed by the last INSERT, UPDATE or DELETE.
  package var changes: Int { unsafe handleIfOpen.map { unsafe Int(sqlite3_changes64($0)) } ?? 0 }

  /// Rows changed since the connection was opened.
  package var totalChanges: Int {
    unsafe handleIfOpen.map { unsafe Int(sqlite3_total_changes64($0)) } ?? 0
  }

  /// How many pages were "written to disk in the middle of a transaction due to the page cache
  /// overflowing" (SQLITE_DBSTATUS_CACHE_SPILL) since the connection was opened.
  ///
  /// In WAL mode a page that was changed before a savepoint is then written a second time, into a
  /// file of the savepoint's (pager.c, pagerStress).
  package var spilledPages: Int {
    var (now, most): (Int32, Int32) = (0, 0)
    guard let handle = unsafe handleIfOpen else { return 0 }
    unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_SPILL, &now, &most, 0)
    return Int(now)
  }

  /// The rowid of the last row inserted.
  package var lastInsertRowID: Int64 {
    unsafe handleIfOpen.map { unsafe sqlite3_last_insert_rowid($0) } ?? 0
  }

  /// The length of the program by which SQLite checks a file: 24 bytes a step, so 240 MB at most.
  private static let longestCheck: Int32 = 10_000_000

  /// What SQLite finds wrong with the main file; empty when nothing.
  ///
  /// What a walk over the pages proves sound, SQLite need not look at. Where this is an overlay on
  /// the file at `base`, and `earlier` is a walk over the same pages as that has, only those that
  /// were written since are read.
  package func problems(
    _ check: FileCheck = .quick, since earlier: PageWalk? = nil, over base: String? = nil
  ) throws(SQLiteError) -> [String] {
    let isKnown = earlier.map(hasBeen(walkedBy:)) == true || base.map(isOverlay(on:)) == true
    let known = isKnown ? earlier : nil
    if check == .quick, try walk(.pages, since: known) != nil { return [] }
    return try found(by: check)
  }

  /// What SQLite itself finds wrong with the main file.
  package func found(by check: FileCheck) throws(SQLiteError) -> [String] {
    // SQLite writes the program of a check from the schema. Some hundred tables of many columns
    // take more steps than any statement may, and SQLite calls that "out of memory".
    let handle = unsafe try handle()
    let usual = unsafe sqlite3_limit(handle, SQLITE_LIMIT_VDBE_OP, Self.longestCheck)
    defer { _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_VDBE_OP, usual) }
    var problems: [String] = []
    // Without a name it would be every attached file, too.
    for row in try rows("PRAGMA main.\(check.rawValue)") {
      if let problem = row.first?.string, problem != "ok" { problems.append(problem) }
    }
    return problems
  }
}

/// SQLite's two checks of a file.
package enum FileCheck: String, Sendable {
  /// Everything but whether indexes match their tables.
  case quick = "quick_check"
  /// Everything.
  case full = "integrity_check"
}
