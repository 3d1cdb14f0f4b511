internal import CSQLite

/// Prepared statements at rest, by the bytes of their SQL, so that a text is prepared once.
///
/// As keys, strings would not do: "é" in two spellings is one string, and two statements.
@safe struct IdleStatements {
  private static let most = 64
  private var statements: [Text: OpaquePointer] = unsafe [:]

  /// Hands a statement out; it is at rest no more.
  mutating func take(_ sql: String) -> OpaquePointer? {
    unsafe statements.removeValue(forKey: Text(sql))
  }

  /// Keeps a statement, or finalizes it when there is one like it; without room the others go.
  mutating func rest(_ statement: OpaquePointer, sql: String) {
    let sql = Text(sql)
    guard unsafe statements[sql] == nil else {
      _ = unsafe sqlite3_finalize(statement)
      return
    }
    if unsafe statements.count == Self.most { finalizeAll() }
    _ = unsafe sqlite3_reset(statement)
    _ = unsafe sqlite3_clear_bindings(statement)
    unsafe statements[sql] = statement
  }

  /// Finalizes all: "unfinalized prepared statements" keep a connection from closing.
  mutating func finalizeAll() {
    unsafe statements.values.forEach { _ = unsafe sqlite3_finalize($0) }
    unsafe statements = [:]
  }
}
