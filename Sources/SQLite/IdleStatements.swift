internal import CSQLite

/// Prepared statements at rest, by the bytes of their SQL, so that a text is prepared once.
@safe struct IdleStatements {
  private static let most = 64
  private var statements: [StatementText: OpaquePointer] = unsafe [:]

  /// Hands a statement out; it is at rest no more.
  mutating func take(_ sql: String) -> OpaquePointer? {
    unsafe statements.removeValue(forKey: StatementText(sql: sql))
  }

  /// Keeps a statement in place of one like it; without room all others go.
  mutating func rest(_ statement: OpaquePointer, sql: String) {
    if unsafe statements.count == Self.most { finalizeAll() }
    _ = unsafe sqlite3_reset(statement)
    _ = unsafe sqlite3_clear_bindings(statement)
    if let like = unsafe statements.updateValue(statement, forKey: StatementText(sql: sql)) {
      _ = unsafe sqlite3_finalize(like)
    }
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
/// compared where they are, and of a long text both ends are hashed, as a statement is looked for
/// several times with each row of some loops.
private struct StatementText: Hashable {
  let sql: String

  /// The bytes of either end.
  private static let end = 64

  static func == (one: StatementText, other: StatementText) -> Bool {
    guard one.sql.utf8.count == other.sql.utf8.count else { return false }
    return unsafe one.withBytes { one in
      unsafe other.withBytes { other in
        guard let first = one.baseAddress, let second = other.baseAddress else {
          return true
        }
        return unsafe memcmp(first, second, one.count) == 0
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    unsafe withBytes { bytes in
      hasher.combine(bytes.count)
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.end)))
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes.suffix(Self.end)))
    }
  }

  private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let there = unsafe sql.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe body(UnsafeRawBufferPointer(bytes))
    }
    if let there { return there }
    return unsafe Text(sql).bytes.withUnsafeBytes(body)
  }
}
