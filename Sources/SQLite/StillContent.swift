internal import CSQLite
internal import OperatingSystem

/// What a database file and its -wal held at one moment, read directly: without a lock, and without
/// a -shm or -wal being made.
///
/// A page is taken from the log up to its last commit, else from the main file. In WAL mode "new
/// content is appended to the log" and the main file is written by checkpoints alone (SQLite,
/// Write-Ahead Logging): as long as it has the time of its last change, and a frame the salts of
/// its log, both hold what they held. Each reading looks, and fails when that is over.
@safe final class StillContent: ReadContent {
  let pageSize: Int
  /// How many pages there are.
  let pageCount: Int64

  var length: Int64 { pageCount * Int64(pageSize) }
  /// "SQLITE_IOCAP_IMMUTABLE means that the file is on read-only media and cannot be changed" (C
  /// API): SQLite asks for no lock then, and looks for no journal.
  let characteristics = SQLITE_IOCAP_IMMUTABLE

  private let main: StillFile
  private let log: (file: StillFile, content: WriteAheadLog)?
  private let begun: FileEntry

  /// How long the file must have been unwritten: times of change are that coarse.
  ///
  /// Linux takes them from a clock that ticks every 1 to 10 ms, other file systems keep seconds, or
  /// two of them (FAT).
  static let quiet: Int64 = 2_100_000_000

  /// Opens both; fails with `isBusy` when another process has written a moment ago.
  init(_ path: String) throws(SQLiteError) {
    main = try StillFile(path)
    begun = main.status
    let header = try DatabaseHeader(main.bytes(DatabaseHeader.length, at: 0) ?? [])
    guard let header else { throw .refused(.truncated, "the header is cut off", path: path) }
    log = try Self.log(of: path)
    let last = max(begun.modified, begun.changed, log?.file.status.modified ?? 0)
    guard last + Self.quiet < SystemClock.nanoseconds else { throw Self.changed(path) }
    pageSize = header.pageSize
    if let log, log.content.committedFrames > 0 {
      guard log.content.pageSize == pageSize else {
        throw SQLiteError(SQLITE_CORRUPT, "the -wal has pages of another size", path: path)
      }
      pageCount = Int64(log.content.pageCount)
    } else {
      pageCount = main.status.size / Int64(pageSize)
    }
    try check()
  }

  private static func log(
    of path: String
  ) throws(SQLiteError) -> (file: StillFile, content: WriteAheadLog)? {
    let path = path + "-wal"
    let status = try asking(about: path) { () throws(SystemError) in try FileEntry.at(path) }
    guard let status, status.size > 0 else { return nil }
    let file = try StillFile(path)
    return (file, try WriteAheadLog(file))
  }

  private static func changed(_ path: String) -> SQLiteError {
    SQLiteError(SQLITE_BUSY, "another process writes to the file", path: path)
  }

  /// Makes sure that the main file is what it was.
  func check() throws(SQLiteError) {
    let now = try main.now()
    guard now.modified == begun.modified, now.size == begun.size else {
      throw Self.changed(main.path)
    }
  }

  /// Fills the buffer from `offset`; false where the database ends before that, the rest being
  /// zeros.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) -> Bool {
    var filled = 0
    while filled < buffer.count {
      let place = offset + Int64(filled)
      let inPage = Int(place % Int64(pageSize))
      let count = min(buffer.count - filled, pageSize - inPage)
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + count)])
      guard unsafe try fill(part, page: place / Int64(pageSize) + 1, at: inPage) else {
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
          .initializeMemory(as: UInt8.self, repeating: 0)
        return false
      }
      filled += count
    }
    return true
  }

  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, page: Int64, at start: Int
  ) throws(SQLiteError) -> Bool {
    guard page <= pageCount else { return false }
    if let log, let frame = log.content.frames[UInt32(clamping: page)] {
      let offset = log.content.offset(ofFrame: frame)
      let isThere = unsafe try log.file.fill(buffer, at: offset + Int64(start))
      // After the page itself: what was read before the frame was written over is what it was.
      let header =
        try log.file.bytes(
          16, at: offset - Int64(WriteAheadLog.frameHeaderLength)) ?? []
      guard isThere, header.count == 16, header.bigEndian32(at: 0) == UInt32(clamping: page),
        header[8..<16] == log.content.header[16..<24]
      else { throw Self.changed(main.path) }
    } else {
      let offset = (page - 1) * Int64(pageSize) + Int64(start)
      guard unsafe try main.fill(buffer, at: offset) else { return false }
      try check()
    }
    if page == 1 { unsafe Self.hideLog(buffer, at: start) }
    return true
  }

  /// Bytes 18 and 19 are "1 for legacy; 2 for WAL" (SQLite, Database File Format, 1.3): with 2
  /// SQLite would look for a log by itself.
  private static func hideLog(_ buffer: UnsafeMutableRawBufferPointer, at start: Int) {
    for place in 18...19 where place >= start && place - start < buffer.count {
      unsafe buffer[place - start] = 1
    }
  }
}

/// A file that is only read, not through SQLite.
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

  func now() throws(SQLiteError) -> FileEntry {
    try asking(about: path) { () throws(SystemError) in try FileEntry.of(file) }
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) -> Bool {
    try asking(about: path) { () throws(SystemError) in
      unsafe try file.fill(buffer, at: offset) == buffer.count
    }
  }
}
