internal import CSQLite

/// A file that SQLite has open, read through SQLite's own handle.
///
/// Opening it once more and closing that would drop the locks SQLite holds on it (POSIX, fcntl).
@safe struct OpenFile: ReadableFile {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let path: String

  /// The main file of a schema.
  static func main(
    of connection: Connection, _ schema: String = "main"
  ) throws(SQLiteError) -> OpenFile {
    guard let file = try of(connection, schema, SQLITE_FCNTL_FILE_POINTER) else {
      throw .misuse("a database in memory has no file", path: connection.path)
    }
    return file
  }

  /// The -wal, when SQLite has one open; in rollback mode the -journal.
  static func journal(
    of connection: Connection, _ schema: String = "main"
  ) throws(SQLiteError) -> OpenFile? {
    try of(connection, schema, SQLITE_FCNTL_JOURNAL_POINTER)
  }

  private static func of(
    _ connection: Connection, _ schema: String, _ verb: Int32
  ) throws(SQLiteError) -> OpenFile? {
    guard let file = unsafe csqlite_file(try connection.handle(), schema, verb) else { return nil }
    return unsafe OpenFile(file: file, path: connection.path)
  }

  /// Its length in bytes.
  func size() throws(SQLiteError) -> Int64 {
    var size: Int64 = 0
    let code = unsafe csqlite_file_size(file, &size)
    guard code == SQLITE_OK else { throw .forCode(code, path: path) }
    return size
  }

  /// The header of the WAL-index; nil while another process is writing it.
  func logIndexHeader() throws(SQLiteError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 48)
    let code = unsafe try bytes.fillBytes { (buffer) throws(SQLiteError) in
      unsafe csqlite_wal_index_header(file, buffer.baseAddress)
    }
    if code == SQLITE_BUSY { return nil }
    guard code == SQLITE_OK else { throw .forCode(code, path: path) }
    return bytes
  }

  /// Fills the buffer from `offset`; false when the file ends before that, the rest being zeros.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) -> Bool {
    guard buffer.count > 0 else { return true }
    let code = unsafe csqlite_file_read(file, buffer.baseAddress, Int32(buffer.count), offset)
    if code == ExtendedCode.shortRead { return false }
    guard code == SQLITE_OK else { throw .forCode(code, path: path) }
    return true
  }
}

// Writing, under a lock that SQLite holds.
extension OpenFile {
  func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(SQLiteError) {
    let code = unsafe bytes.withUnsafeBytes { buffer in
      unsafe csqlite_file_write(file, buffer.baseAddress, Int32(buffer.count), offset)
    }
    guard code == SQLITE_OK else { throw .forCode(code, path: path) }
  }

  func truncate(to size: Int64) throws(SQLiteError) {
    let code = unsafe csqlite_file_truncate(file, size)
    guard code == SQLITE_OK else { throw .forCode(code, path: path) }
  }

  func sync() throws(SQLiteError) {
    let code = unsafe csqlite_file_sync(file)
    guard code == SQLITE_OK else { throw .forCode(code, path: path) }
  }

  /// Whether the lock can be kept: the connection was opened so that it can.
  var canHoldLock: Bool { unsafe HeldLock.has(file) }

  /// Keeps the lock, whatever SQLite gives back, or lets SQLite have it again.
  func hold(_ isHeld: Bool) { unsafe HeldLock.hold(file, isHeld) }
}

extension [UInt8] {
  /// Lends the bytes to a function that throws this layer's error.
  mutating func fillBytes<Result>(
    _ body: (UnsafeMutableRawBufferPointer) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    var outcome: Swift.Result<Result, SQLiteError>?
    unsafe withUnsafeMutableBytes { buffer in
      do throws(SQLiteError) {
        outcome = .success(unsafe try body(buffer))
      } catch {
        outcome = .failure(error)
      }
    }
    guard let outcome else { throw .misuse("no buffer") }
    return try outcome.get()
  }
}
