internal import CSQLite

/// Values for a statement's parameters, which are counted from 1 as in SQL.
extension Statement {
  /// How many parameters there are: the highest number used.
  package var parameterCount: Int { Int(unsafe sqlite3_bind_parameter_count(handle)) }

  /// The number of a named parameter; the name includes its ":", "@" or "$".
  package func parameter(named name: String) throws(SQLiteError) -> Int {
    let index = unsafe sqlite3_bind_parameter_index(handle, name)
    guard index > 0 else { throw .misuse("the statement has no parameter \(name)", sql: sql) }
    return Int(index)
  }

  package func bindNull(at parameter: Int) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_null(handle, index(parameter)))
  }

  package func bind(_ value: Int64, at parameter: Int) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_int64(handle, index(parameter), value))
  }

  /// Binds a real number; NaN becomes NULL, as SQLite has it.
  package func bind(_ value: Double, at parameter: Int) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_double(handle, index(parameter), value))
  }

  package func bind(_ value: String, at parameter: Int) throws(SQLiteError) {
    var value = value
    let code = value.withUTF8 { bytes in
      unsafe csqlite_bind_text_copy(
        handle, index(parameter), bytes.baseAddress, UInt64(bytes.count))
    }
    try check(code)
  }

  /// Binds a value of any storage class.
  package func bind(_ value: Value, at parameter: Int) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: parameter)
    case .integer(let value): try bind(value, at: parameter)
    case .real(let value): try bind(value, at: parameter)
    case .text(let value):
      try check(unsafe value.bytes.withUnsafeBytes { unsafe bindTextCode($0, at: parameter) })
    case .blob(let value):
      try check(unsafe value.withUnsafeBytes { unsafe bindBlobCode($0, at: parameter) })
    }
  }

  /// Binds a value by the parameter's name.
  package func bind(_ value: Value, to name: String) throws(SQLiteError) {
    try bind(value, at: try parameter(named: name))
  }

  /// Binds all parameters in order.
  package func bind(_ values: [Value]) throws(SQLiteError) {
    guard values.count == parameterCount else {
      throw .misuse("\(values.count) values for \(parameterCount) parameters", sql: sql)
    }
    for (offset, value) in values.enumerated() { try bind(value, at: offset + 1) }
  }

  /// Binds a column of the row that `source` stands on, without copying text and blobs.
  ///
  /// The bytes stay the source's: until this statement has been stepped and then reset and cleared
  /// or bound again, `source` must not be stepped, reset or finalized, and the column must not be
  /// read as another type. Class and bits are kept: an integer stays an integer.
  ///
  /// `sqlite3_bind_value` is not used: it copies text and blobs, and a column's value is an
  /// "unprotected sqlite3_value object", safe only in a few calls (C API).
  package func bind(
    _ parameter: Int, fromColumn column: Int, of source: borrowing Row
  ) throws(SQLiteError) {
    switch source.type(column) {
    case .null: try bindNull(at: parameter)
    case .integer: try bind(source.integer(column) ?? 0, at: parameter)
    case .real: try bind(source.real(column) ?? 0, at: parameter)
    case .text:
      let bytes = unsafe try source.textBytes(column)
      try check(
        unsafe csqlite_bind_text_static(
          handle, index(parameter), bytes.baseAddress, UInt64(bytes.count)))
    case .blob:
      let bytes = unsafe try source.blobBytes(column)
      try check(
        unsafe csqlite_bind_blob_static(
          handle, index(parameter), bytes.baseAddress, UInt64(bytes.count)))
    }
  }

  private func bindTextCode(_ bytes: UnsafeRawBufferPointer, at parameter: Int) -> Int32 {
    unsafe csqlite_bind_text_copy(handle, index(parameter), bytes.baseAddress, UInt64(bytes.count))
  }

  private func bindBlobCode(_ bytes: UnsafeRawBufferPointer, at parameter: Int) -> Int32 {
    unsafe csqlite_bind_blob_copy(handle, index(parameter), bytes.baseAddress, UInt64(bytes.count))
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw error() }
  }

  private func index(_ parameter: Int) -> Int32 { Int32(clamping: parameter) }
}
