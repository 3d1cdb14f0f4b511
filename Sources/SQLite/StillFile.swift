internal import OperatingSystem

/// A file that is only read, beside SQLite.
final class StillFile: ReadableFile {
  /// Its path, as messages name it.
  let path: String
  private let file: OpenDescriptor

  init(_ path: String) throws(SQLiteError) {
    self.path = path
    let file = try asking(about: path) { () throws(SystemError) in
      try OpenDescriptor(reading: path)
    }
    status = try asking(about: path) { () throws(SystemError) in try FileEntry.of(file) }
    self.file = file
  }

  /// What it was when it was opened.
  let status: FileEntry

  /// What it is now.
  func now() throws(SQLiteError) -> FileEntry {
    try asking(about: path) { () throws(SystemError) in try FileEntry.of(file) }
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) -> Bool {
    try asking(about: path) { () throws(SystemError) in
      unsafe try file.fill(buffer, at: offset) == buffer.count
    }
  }
}
