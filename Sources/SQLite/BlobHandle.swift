internal import CSQLite

/// One blob or text of one row, read and written a piece at a time; its size cannot change.
@safe package final class BlobHandle {
  /// What is done with it.
  package enum Access: Int32, Sendable {
    case read = 0
    case write = 1
  }

  private let connection: Connection
  private var handle: OpaquePointer?

  /// Opens the value in a column of the row with that rowid.
  package init(
    _ connection: Connection, schema: String = "main", table: String, column: String, row: Int64,
    _ access: Access = .read
  ) throws(SQLiteError) {
    let database = unsafe try connection.handle()
    var opened: OpaquePointer?
    let code = unsafe sqlite3_blob_open(
      database, schema, table, column, row, access.rawValue, &opened)
    guard code == SQLITE_OK else { throw unsafe .last(of: database, path: connection.path) }
    self.connection = connection
    unsafe handle = opened
  }

  deinit { _ = unsafe sqlite3_blob_close(handle) }

  /// Its length in bytes; 0 when closed.
  package var size: Int { Int(unsafe sqlite3_blob_bytes(handle)) }

  /// Fills the buffer with the bytes from `offset` on; past the end is an error.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SQLiteError) {
    try check(
      unsafe sqlite3_blob_read(
        handle, buffer.baseAddress, Int32(clamping: buffer.count), Int32(clamping: offset)))
  }

  package func read(_ count: Int, at offset: Int) throws(SQLiteError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    unsafe try bytes.fillBytes { (buffer) throws(SQLiteError) in
      unsafe try read(into: buffer, at: offset)
    }
    return bytes
  }

  /// Hands the whole value to `body` in pieces of at most `length` bytes, one buffer for all.
  package func forEachPiece(
    of length: Int = 65_536, _ body: (UnsafeRawBufferPointer, _ offset: Int) throws -> Void
  ) throws {
    var piece = [UInt8](repeating: 0, count: min(length, max(size, 1)))
    for offset in stride(from: 0, to: size, by: length) {
      let count = min(length, size - offset)
      try unsafe piece.withUnsafeMutableBytes { buffer in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[0..<count])
        unsafe try read(into: part, at: offset)
        unsafe try body(UnsafeRawBufferPointer(part), offset)
      }
    }
  }

  /// Whether these bytes are all that it holds.
  package func contains(_ bytes: [UInt8]) throws -> Bool {
    guard bytes.count == size else { return false }
    var isSame = true
    unsafe try forEachPiece { piece, offset in
      guard isSame, let start = piece.baseAddress else { return }
      isSame = unsafe bytes.withUnsafeBytes { bytes in
        guard let other = bytes.baseAddress else { return false }
        return unsafe csqlite_is_same(start, other + offset, piece.count)
      }
    }
    return isSame
  }

  /// Writes the bytes from `offset` on; past the end is an error.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SQLiteError) {
    try check(
      unsafe sqlite3_blob_write(
        handle, bytes.baseAddress, Int32(clamping: bytes.count), Int32(clamping: offset)))
  }

  /// Closes it; the error of a write that could not be kept shows here.
  package func close() throws(SQLiteError) {
    guard let closing = unsafe handle else { return }
    unsafe handle = nil
    try check(unsafe sqlite3_blob_close(closing))
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code != SQLITE_OK else { return }
    guard code != SQLITE_MISUSE else { throw .misuse("the blob handle is closed") }
    throw unsafe .last(of: connection.handleIfOpen, path: connection.path)
  }
}
