/// A file that is only read, beside SQLite.
final class StillFile: ReadableFile {
  /// Its path, as messages name it.
  let path: String
  private let file: RawFile

  init(_ path: String) throws(SQLiteError) {
    self.path = path
    file = try asking(about: path) { () throws(SystemFailure) in try RawFile(path) }
  }

  /// What it was when it was opened.
  var status: FileStatus { file.status }

  /// What it is now.
  func now() throws(SQLiteError) -> FileStatus {
    try asking(about: path) { () throws(SystemFailure) in try file.now() }
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) -> Bool {
    try asking(about: path) { () throws(SystemFailure) in
      unsafe try file.fill(buffer, at: offset) == buffer.count
    }
  }
}
