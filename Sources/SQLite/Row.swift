internal import CSQLite

/// The row a statement stands on, which cannot be kept: it is read before the next step.
package struct Row: ~Copyable {
  private let statement: Statement

  init(_ statement: Statement) { self.statement = statement }

  /// How many columns it has.
  package var count: Int { Int(unsafe sqlite3_data_count(statement.handle)) }

  /// The storage class of a column; null for a column that is not there.
  package func type(_ column: Int) -> StorageClass {
    StorageClass(rawValue: unsafe sqlite3_column_type(statement.handle, index(column))) ?? .null
  }

  package func isNull(_ column: Int) -> Bool { type(column) == .null }

  /// A column as an integer, converted by SQLite when it is none; nil for NULL.
  package func integer(_ column: Int) -> Int64? {
    isNull(column) ? nil : unsafe sqlite3_column_int64(statement.handle, index(column))
  }

  /// A column as a real number, converted by SQLite when it is none; nil for NULL.
  package func real(_ column: Int) -> Double? {
    isNull(column) ? nil : unsafe sqlite3_column_double(statement.handle, index(column))
  }

  /// A column as text, exact to the byte; nil for NULL.
  package func text(_ column: Int) throws(SQLiteError) -> Text? {
    if isNull(column) { return nil }
    return Text(bytes: unsafe Array(try textBytes(column)))
  }

  /// A column as a string; nil for NULL, an error for text that is not UTF-8.
  package func string(_ column: Int) throws(SQLiteError) -> String? {
    if isNull(column) { return nil }
    if let string = unsafe String(validating: try textBytes(column), as: UTF8.self) {
      return string
    }
    throw SQLiteError(
      SQLITE_MISMATCH, "column \(statement.columnName(column)) holds text that is not valid UTF-8",
      sql: statement.sql, path: statement.connection.path)
  }

  /// A column's bytes as a blob; nil for NULL.
  package func blob(_ column: Int) throws(SQLiteError) -> [UInt8]? {
    if isNull(column) { return nil }
    return unsafe Array(try blobBytes(column))
  }

  /// A column as it is stored.
  package func value(_ column: Int) throws(SQLiteError) -> Value {
    switch type(column) {
    case .null: .null
    case .integer: .integer(unsafe sqlite3_column_int64(statement.handle, index(column)))
    case .real: .real(unsafe sqlite3_column_double(statement.handle, index(column)))
    case .text: .text(Text(bytes: unsafe Array(try textBytes(column))))
    case .blob: .blob(unsafe Array(try blobBytes(column)))
    }
  }

  /// Whether a column holds what a column of another row does, by class and bits.
  package func holdsSame(
    _ column: Int, as other: borrowing Row, _ otherColumn: Int
  ) throws(SQLiteError) -> Bool {
    let type = type(column)
    guard type == other.type(otherColumn) else { return false }
    switch type {
    case .null: return true
    case .integer: return integer(column) == other.integer(otherColumn)
    case .real: return real(column)?.bitPattern == other.real(otherColumn)?.bitPattern
    case .text:
      return unsafe try textBytes(column).elementsEqual(try other.textBytes(otherColumn))
    case .blob:
      return unsafe try blobBytes(column).elementsEqual(try other.blobBytes(otherColumn))
    }
  }

  /// How many bytes a column's text or blob has.
  package func length(_ column: Int) throws(SQLiteError) -> Int {
    unsafe type(column) == .text ? try textBytes(column).count : try blobBytes(column).count
  }

  /// All columns as they are stored.
  package func values() throws(SQLiteError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    for column in 0..<count { values.append(try value(column)) }
    return values
  }

  /// A column's text without a copy: UTF-8, empty for NULL, good inside the closure only.
  package func withText<Result>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    unsafe try body(try textBytes(column))
  }

  /// A column's blob without a copy: empty for NULL, good inside the closure only.
  package func withBlob<Result>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    unsafe try body(try blobBytes(column))
  }

  /// "The safest policy is to invoke sqlite3_column_text() followed by sqlite3_column_bytes()"
  /// (C API, Result Values From A Query).
  func textBytes(_ column: Int) throws(SQLiteError) -> UnsafeRawBufferPointer {
    let bytes = unsafe sqlite3_column_text(statement.handle, index(column))
    let count = unsafe sqlite3_column_bytes(statement.handle, index(column))
    return unsafe try buffer(UnsafeRawPointer(bytes), count, column)
  }

  func blobBytes(_ column: Int) throws(SQLiteError) -> UnsafeRawBufferPointer {
    let bytes = unsafe sqlite3_column_blob(statement.handle, index(column))
    let count = unsafe sqlite3_column_bytes(statement.handle, index(column))
    return unsafe try buffer(bytes, count, column)
  }

  /// Distinguishes an empty value from memory that ran out: both come as a null pointer.
  ///
  /// "The out-of-memory error can be detected by invoking sqlite3_errcode() immediately after the
  /// suspect return value is obtained" (C API, Result Values From A Query).
  private func buffer(
    _ bytes: UnsafeRawPointer?, _ count: Int32, _ column: Int
  ) throws(SQLiteError) -> UnsafeRawBufferPointer {
    if unsafe bytes == nil,
      unsafe sqlite3_errcode(sqlite3_db_handle(statement.handle)) == SQLITE_NOMEM
    {
      throw statement.error()
    }
    return unsafe UnsafeRawBufferPointer(start: bytes, count: unsafe bytes == nil ? 0 : Int(count))
  }

  private func index(_ column: Int) -> Int32 { Int32(clamping: column) }
}
