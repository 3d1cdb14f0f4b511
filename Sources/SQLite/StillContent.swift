internal import CSQLite
internal import OperatingSystem

/// What a database file and its -wal held at one moment, read directly: without a lock, and without
/// a -shm or -wal being made.
///
/// A small database may be read into memory at once: others may write to it from then on. Of any
/// other one a page is read when it is asked for.
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
  private let isLoaded: Bool

  /// Up to which length a database and its log are read into memory.
  static let mostLoaded: Int64 = 1 << 20

  /// How long the file must have been unwritten: times of change are that coarse.
  ///
  /// Linux takes them from a clock that ticks every 1 to 10 ms, other file systems keep seconds, or
  /// two of them (FAT).
  static let quiet: Int64 = 2_100_000_000

  /// Opens both; fails with `isBusy` when another process has written a moment ago or, where both
  /// are loaded, writes all the time.
  init(_ path: String, isLoaded: Bool = false) throws(SQLiteError) {
    let files = try isLoaded ? StillFiles(loading: path) : StillFiles(path)
    (main, begun, self.isLoaded) = (files.main, files.main.status, isLoaded)
    let header = try DatabaseHeader(main.bytes(DatabaseHeader.length, at: 0) ?? [])
    guard let header else { throw .refused(.truncated, "the header is cut off", path: path) }
    log = try files.log.map { file throws(SQLiteError) in (file, try WriteAheadLog(file)) }
    let last = max(begun.modified, begun.changed, log?.file.status.modified ?? 0)
    guard isLoaded || last + Self.quiet < SystemClock.nanoseconds else { throw Self.changed(path) }
    pageSize = header.pageSize
    if let log, log.content.committedFrames > 0 {
      guard log.content.pageSize == pageSize else {
        throw SQLiteError(SQLITE_CORRUPT, "the -wal has pages of another size", path: path)
      }
      pageCount = Int64(log.content.pageCount)
      // Each page is in one of the two.
      guard pageCount <= main.status.size / Int64(pageSize) + Int64(log.content.committedFrames)
      else {
        throw SQLiteError(
          SQLITE_CORRUPT, "the -wal says that there are more pages than it has", path: path)
      }
    } else {
      pageCount = main.status.size / Int64(pageSize)
    }
    try check()
  }

  static func changed(_ path: String) -> SQLiteError {
    SQLiteError(SQLITE_BUSY, "another process writes to the file", path: path)
  }

  /// Makes sure that the main file is what it was.
  func check() throws(SQLiteError) {
    if isLoaded { return }
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
      let count = min(buffer.count - filled, length(from: place))
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + count)])
      guard count > 0, unsafe try fillRun(part, at: place) else {
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
          .initializeMemory(as: UInt8.self, repeating: 0)
        return false
      }
      filled += count
    }
    return true
  }

  /// How many bytes from a place on lie together: to the end of a page of the log, or in the main
  /// file to the next page that is in the log.
  private func length(from place: Int64) -> Int {
    let inPage = Int(place % Int64(pageSize))
    var page = place / Int64(pageSize) + 1
    guard page <= pageCount else { return 0 }
    guard let frames = log?.content.frames, !frames.isEmpty else { return Int(length - place) }
    var count = pageSize - inPage
    if frames[UInt32(clamping: page)] != nil { return count }
    while page < pageCount, count < Self.run, frames[UInt32(clamping: page + 1)] == nil {
      page += 1
      count += pageSize
    }
    return count
  }

  /// The most that is worth while to be read at once.
  private static let run = 1 << 18

  private func fillRun(
    _ buffer: UnsafeMutableRawBufferPointer, at place: Int64
  ) throws(SQLiteError) -> Bool {
    let page = place / Int64(pageSize) + 1
    if let log, let frame = log.content.frames[UInt32(clamping: page)] {
      let offset = log.content.offset(ofFrame: frame)
      let isThere = unsafe try log.file.fill(buffer, at: offset + place % Int64(pageSize))
      // After the page itself: what was read before the frame was written over is what it was.
      let header =
        try log.file.bytes(
          16, at: offset - Int64(WriteAheadLog.frameHeaderLength)) ?? []
      guard isThere, header.count == 16, header.bigEndian32(at: 0) == UInt32(clamping: page),
        header[8..<16] == log.content.header[16..<24]
      else { throw Self.changed(main.path) }
    } else {
      guard unsafe try main.fill(buffer, at: place) else { return false }
      try check()
    }
    if page == 1 { unsafe DatabaseHeader.hideWAL(in: buffer, at: place) }
    return true
  }
}

/// The two files of a database, as they were opened.
private struct StillFiles {
  let main: StillFile
  /// The log; nil where there is none, or an empty one.
  let log: StillFile?

  init(_ path: String) throws(SQLiteError) {
    main = try StillFile(path)
    log = try Self.entry(path + "-wal").map { $0.size > 0 } == true ? StillFile(path + "-wal") : nil
  }

  /// How often reading starts over because another process writes meanwhile.
  private static let attempts = 5

  /// Reads both into memory, as they were at one moment.
  ///
  /// Only of a database in WAL mode: in rollback mode a writer is seen by its lock alone, as it
  /// need not leave a -journal (PRAGMA journal_mode, OFF and MEMORY).
  init(loading path: String) throws(SQLiteError) {
    for _ in 0..<Self.attempts {
      // A -journal that is not empty has to be rolled back, or a process is writing right now.
      let journal = try Self.entry(path + "-journal")
      let start = try Self.start(path + "-wal")
      guard (journal?.size ?? 0) == 0, let files = try? StillFiles(path) else { continue }
      let bytes = files.main.status.size + (files.log?.status.size ?? 0)
      guard bytes <= StillContent.mostLoaded else { break }
      let first = try files.main.load()
      guard DatabaseHeader(first)?.isWAL == true else { break }
      try files.log?.load()
      // "The salts are changed each time it is reset" (Database File Format, 4): a log that has not
      // been has all pages that a checkpoint has written since into the main file. Without one
      // none may have been written: the file says the same twice, whatever its times say.
      let now = try files.log?.bytes(WriteAheadLog.headerLength, at: 0) ?? []
      let isSame = try start.isEmpty ? files.main.contains(first) : true
      guard start == now, isSame else { continue }
      if try Self.entry(path) == files.main.status, try Self.entry(path + "-journal") == journal,
        try Self.start(path + "-wal") == now
      {
        files.main.letGo()
        files.log?.letGo()
        self = files
        return
      }
    }
    throw StillContent.changed(path)
  }

  private static func entry(_ path: String) throws(SQLiteError) -> FileEntry? {
    try asking(about: path) { () throws(SystemError) in try FileEntry.at(path) }
  }

  private static func start(_ path: String) throws(SQLiteError) -> [UInt8] {
    try asking(about: path) { () throws(SystemError) in
      try FileSystem.start(of: path, count: WriteAheadLog.headerLength) ?? []
    }
  }
}

/// A file that is only read, not through SQLite.
final class StillFile: ReadableFile {
  /// Its path, as messages name it.
  let path: String
  private var file: OpenDescriptor?
  private var loaded: [UInt8]?

  init(_ path: String) throws(SQLiteError) {
    self.path = path
    let file = try asking(about: path) { () throws(SystemError) in
      try OpenDescriptor(reading: path)
    }
    status = try asking(about: path) { () throws(SystemError) in try FileEntry.of(file) }
    self.file = consume file
  }

  /// What it was when it was opened.
  let status: FileEntry

  /// Reads all of it into memory, up to the length that it had when it was opened.
  @discardableResult
  func load() throws(SQLiteError) -> [UInt8] {
    let bytes = try asking(about: path) { () throws(SystemError) in
      try file?.read(Int(status.size), at: 0) ?? []
    }
    loaded = bytes
    return bytes
  }

  /// Whether the file has these bytes still, and no others; it is read once more for that.
  func contains(_ bytes: [UInt8]) throws(SQLiteError) -> Bool {
    try asking(about: path) { () throws(SystemError) in try file?.contains(bytes) ?? false }
  }

  /// Closes the file, of which all is in memory.
  func letGo() { file = nil }

  func now() throws(SQLiteError) -> FileEntry {
    guard let number = file?.number else { return status }
    return try asking(about: path) { () throws(SystemError) in
      try FileEntry.of(descriptor: number)
    }
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) -> Bool {
    guard let loaded else {
      return try asking(about: path) { () throws(SystemError) in
        unsafe try file?.fill(buffer, at: offset) == buffer.count
      }
    }
    let start = Int(min(offset, Int64(loaded.count)))
    let there = loaded[start..<min(start + buffer.count, loaded.count)]
    unsafe buffer.copyBytes(from: there)
    return there.count == buffer.count
  }
}
