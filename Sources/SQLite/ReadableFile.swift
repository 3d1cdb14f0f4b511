/// A file that bytes are read from, whether SQLite has it open or this library.
protocol ReadableFile {
  /// Fills the buffer from `offset`; false when the file ends before that.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) -> Bool
}

extension ReadableFile {
  /// `count` bytes from `offset`; nil when the file ends before that.
  func bytes(_ count: Int, at offset: Int64) throws(SQLiteError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let isThere = unsafe try bytes.fillBytes { (buffer) throws(SQLiteError) in
      unsafe try fill(buffer, at: offset)
    }
    return isThere ? bytes : nil
  }
}
