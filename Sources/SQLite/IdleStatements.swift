internal import CSQLite

/// Prepared statements at rest, by the bytes of their SQL, so that a text is prepared once.
@safe struct IdleStatements {
  private static let most = 64
  private var statements: [StatementText: OpaquePointer] = unsafe [:]

  /// Hands a statement out; it is at rest no more.
  mutating func take(_ sql: String) -> OpaquePointer? {
    unsafe statements.removeValue(forKey: StatementText(sql: sql))
  }

  /// Keeps a statement, or finalizes it when there is one like it; without room the others go.
  mutating func rest(_ statement: OpaquePointer, sql: String) {
    let sql = StatementText(sql: sql)
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

/// A statement's text as a key.
///
/// A string would not do: "é" in two spellings is one string, and two statements. Its bytes are
/// hashed at once and where they are, as a statement is looked for with each row of some loops.
private struct StatementText: Hashable {
  let sql: String

  static func == (one: StatementText, other: StatementText) -> Bool {
    one.sql.utf8.elementsEqual(other.sql.utf8)
  }

  func hash(into hasher: inout Hasher) {
    let isDone: Void? = unsafe sql.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
    if isDone == nil { hasher.combine(Text(sql)) }
  }
}
