internal import CSQLite
package import OperatingSystem
internal import Synchronization

/// A database that begins as another file's pages and keeps what changes in a log of its own.
///
///     source.sqlite        the base: read, and never written
///     next.sqlite          a note that names the base
///     next.sqlite-wal      the pages that changed, as SQLite logs them
///
/// SQLite writes each change to the log, and would copy it into the main file at a checkpoint: here
/// the only ones are those with which a long log starts over, and the file refuses to be changed. A
/// page that the log has not is the base's, so what stays as it is costs nothing. Nothing is synced
/// on the way: "a frame is considered valid if and only if ... the checksum values match", which
/// are "computed consecutively ... over all frames" (Database File Format, 4.2). After a crash the
/// log ends with a whole commit.
package enum Overlay {
  private static let magic = Array("pipeline overlay 1\n".utf8)
  private static let longestNote = 4096

  /// Makes the note of a new overlay next to its base, which no process writes from here on.
  package static func make(at path: String, on base: String) throws(SystemError) {
    try OpenDescriptor(creating: path).write(note(of: base)[...])
  }

  /// What the note of an overlay on a base contains.
  static func note(of base: String) -> [UInt8] {
    let name = base.utf8.split(separator: UInt8(ascii: "/")).last ?? []
    return magic + Array(name) + [UInt8(ascii: "\n")]
  }

  /// Whether the file at a path is the note of an overlay.
  package static func isOne(_ path: String) -> Bool { ((try? base(at: path)) ?? nil) != nil }

  /// How many may be on top of each other: each takes an open file, and a look into its log for
  /// each page that is read.
  static let deepest = 8

  /// Whether one more may be on top of a database.
  package static func canBeBase(_ path: String) -> Bool {
    var (depth, path) = (0, path)
    while depth < deepest, let base = (try? base(at: path)) ?? nil {
      (depth, path) = (depth + 1, base)
    }
    return depth < deepest
  }

  /// The path of the base; nil where the file is none of ours.
  ///
  /// The base lies in the overlay's own folder: a note that another program made leads nowhere
  /// else.
  static func base(at path: String) throws(SystemError) -> String? {
    // Most files are too large for a note, which shows without opening them.
    if let entry = try FileEntry.at(path), entry.isRegular, entry.size > longestNote { return nil }
    let bytes = try OpenDescriptor(reading: path).read(longestNote, at: 0)
    guard bytes.starts(with: magic), bytes.last == 0x0a,
      let name = String(validating: bytes[magic.count..<bytes.count - 1], as: UTF8.self),
      !name.isEmpty, !name.contains("/"), name != "..", name != "."
    else { return nil }
    return "\(FileSystem.folder(of: path))/\(name)"
  }
}

/// What SQLite takes for the main file of an overlay: the pages of the base, or those of both.
///
/// Who writes reads the log through SQLite, which goes through all of it when it opens it. Who only
/// reads needs neither that nor a lock.
@safe final class OverlayContent: ReadContent, ReadableFile {
  private var base: OverlayBase
  private let path: String
  /// Whether the log is in it, too: nothing is written then.
  let hasLog: Bool
  /// Whether SQLite may go through the motions of writing what the log has, which is here already.
  var isEmptyingLog = false

  var pageSize: Int { base.pageSize }

  init(_ path: String, withLog hasLog: Bool = false) throws(SQLiteError) {
    (base, self.path, self.hasLog) = (try Self.base(of: path, hasLog), path, hasLog)
  }

  /// How often reading starts over because another process has the log start over meanwhile.
  private static let attempts = 5

  private static func base(of path: String, _ hasLog: Bool) throws(SQLiteError) -> OverlayBase {
    for _ in 0..<attempts {
      let note = try entry(path)
      let found = Result { () throws(SQLiteError) in
        try hasLog ? OverlayBase(view: path) : OverlayBase(ofOverlay: path)
      }
      // The log is emptied after the note has become another file: until then it belongs to this.
      guard try entry(path) == note else { continue }
      guard let base = try found.get() else {
        throw .refused(.notADatabase, "the file names no base", path: path)
      }
      return base
    }
    throw StillContent.changed(path)
  }

  private static func entry(_ path: String) throws(SQLiteError) -> FileEntry? {
    try asking(about: path) { () throws(SystemError) in try FileEntry.at(path) }
  }

  /// Reads from the layer that the note has come to name, which has all that the log has.
  func startOver() throws(SQLiteError) {
    (base, isEmptyingLog) = (try Self.base(of: path, hasLog), true)
  }

  func accepts(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    guard isEmptyingLog, let own = (try? self.bytes(bytes.count, at: offset)) ?? nil else {
      return false
    }
    return unsafe own.elementsEqual(bytes)
  }

  func accepts(length: Int64) -> Bool { isEmptyingLog && length == self.length }

  var length: Int64 { base.pageCount * Int64(base.pageSize) }
  // As SQLite has it of any file (os_unix.c): the log's frames need no padding then. With the log
  // in it nothing changes: "SQLITE_IOCAP_IMMUTABLE means that the file is on read-only media and
  // cannot be changed" (C API).
  var characteristics: Int32 {
    hasLog ? SQLITE_IOCAP_IMMUTABLE : SQLITE_IOCAP_POWERSAFE_OVERWRITE
  }

  /// The file at the bottom of all overlays, and the pages that they have changed.
  var changes: (path: String, pages: Set<UInt32>) { base.changes }

  /// The frames of the log that is in it; nil where SQLite reads that.
  var log: (pages: [UInt32: UInt32], last: UInt32, header: [UInt8])? { hasLog ? base.frames : nil }

  /// What SQLite is going to find at the overlay's path.
  func file(at location: Location) throws(SQLiteError) -> DatabaseFile {
    let start = try bytes(DatabaseHeader.length, at: 0) ?? []
    return DatabaseFile(
      path: location.path, identity: location.identity, size: length,
      header: try DatabaseFile.readHeader(start, path: location.path))
  }

  /// Bytes 18 and 19 are "1 for legacy; 2 for WAL" (Database File Format, 1.3): with 2 SQLite looks
  /// for the log by itself.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) -> Bool {
    let count = Int(max(0, min(Int64(buffer.count), length - offset)))
    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    try unsafe base.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
    for place in 18...19 where offset <= place && place - Int(offset) < count {
      unsafe buffer[place - Int(offset)] = hasLog ? 1 : 2
    }
    return count == buffer.count
  }
}

/// The pages below a log: those of a plain file, or those of another overlay as it is now.
private final class OverlayBase {
  let pageSize: Int
  let pageCount: Int64
  private let pages: Pages

  private enum Pages {
    case file(StillFile)
    indirect case overlay(OverlayBase, log: StillFile, WriteAheadLog)
  }

  /// The base of the overlay at a path, which so many others may be below; nil where that is none.
  convenience init?(
    ofOverlay path: String, above most: Int = Overlay.deepest
  ) throws(SQLiteError) {
    let base = try asking(about: path) { () throws(SystemError) in try Overlay.base(at: path) }
    guard let base else { return nil }
    // Notes that other programs made may name each other.
    guard most > 0 else {
      throw .refused(.notADatabase, "too many overlays are on top of each other", path: path)
    }
    try self.init(base, most)
  }

  /// The overlay at a path as it is now; nil where that is none.
  convenience init?(view path: String) throws(SQLiteError) {
    guard try asking(about: path, { () throws(SystemError) in try Overlay.base(at: path) }) != nil
    else { return nil }
    try self.init(path, Overlay.deepest + 1)
  }

  private init(_ path: String, _ most: Int) throws(SQLiteError) {
    if let below = try OverlayBase(ofOverlay: path, above: most - 1) {
      let log = try StillFile(path + "-wal")
      let content = try KnownLogs.content(of: log)
      pageSize = below.pageSize
      guard content.pageSize == pageSize || content.committedFrames == 0 else {
        throw SQLiteError(SQLITE_CORRUPT, "the -wal has pages of another size", path: path)
      }
      pageCount = content.committedFrames == 0 ? below.pageCount : Int64(content.pageCount)
      pages = .overlay(below, log: log, content)
      return
    }
    let file = try StillFile(path)
    guard let header = try DatabaseHeader(file.bytes(DatabaseHeader.length, at: 0) ?? []) else {
      throw .refused(.truncated, "the header is cut off", path: path)
    }
    pageSize = header.pageSize
    pageCount = file.status.size / Int64(header.pageSize)
    pages = .file(file)
  }

  var changes: (path: String, pages: Set<UInt32>) {
    switch pages {
    case .file(let file): return (file.path, [])
    case .overlay(let below, _, let content):
      let (path, pages) = below.changes
      return (path, pages.union(content.frames.keys))
    }
  }

  /// The frames of the uppermost log.
  var frames: (pages: [UInt32: UInt32], last: UInt32, header: [UInt8])? {
    guard case .overlay(_, _, let log) = pages else { return nil }
    return (log.frames, log.committedFrames, log.header)
  }

  /// Fills the buffer with bytes that are there.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) {
    guard case .overlay(let below, let log, let content) = pages else {
      return unsafe try fillPlain(buffer, at: offset)
    }
    var filled = 0
    while filled < buffer.count {
      let place = offset + Int64(filled)
      let inPage = Int(place % Int64(pageSize))
      var page = UInt32(clamping: place / Int64(pageSize) + 1)
      var count = min(buffer.count - filled, pageSize - inPage)
      let frame = content.frames[page]
      if frame != nil {
        let most = (inPage + buffer.count - filled + pageSize - 1) / pageSize
        count = content.runLength(from: page, most: most) * pageSize - inPage
        count = min(count, buffer.count - filled)
      }
      while frame == nil, filled + count < buffer.count, content.frames[page &+ 1] == nil {
        count = min(buffer.count - filled, count + pageSize)
        page &+= 1
      }
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + count)])
      if let frame {
        let isThere = unsafe try content.fill(part, fromFrame: frame, inPage, of: log)
        // After the pages: where it has started over since, others may have taken their places.
        guard try content.hasSameHeader(log) else { throw StillContent.changed(log.path) }
        guard isThere else { throw Self.cutOff(log.path) }
      } else {
        unsafe try below.fill(part, at: place)
      }
      filled += count
    }
  }

  private func fillPlain(
    _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(SQLiteError) {
    guard case .file(let file) = pages, buffer.count > 0 else { return }
    guard unsafe try file.fill(buffer, at: offset) else { throw Self.cutOff(file.path) }
  }

  private static func cutOff(_ path: String) -> SQLiteError {
    SQLiteError(SQLITE_CORRUPT, "the file was cut off", path: path)
  }
}

/// The logs of overlays that this process has read: from the last commit that it knows it reads on.
///
/// A log only grows behind its last commit; one that has started over has other
/// salts in its header.
private enum KnownLogs {
  private static let logs = Mutex<[(identity: FileIdentity, content: WriteAheadLog)]>([])
  private static let most = 8

  static func content(of file: StillFile) throws(SQLiteError) -> WriteAheadLog {
    let identity = file.status.identity
    let known = logs.withLock { $0.first { $0.identity == identity }?.content }
    let content: WriteAheadLog
    if let longer = try known?.continued(file) {
      content = longer
    } else {
      content = try WriteAheadLog(file)
    }
    logs.withLock { logs in
      logs.removeAll { $0.identity == identity }
      logs.insert((identity, content), at: 0)
      if logs.count > most { logs.removeLast() }
    }
    return content
  }
}

extension Connection {
  /// Whether this is an overlay whose base is the file at a path, and no other overlay.
  package func isOverlay(on base: String) -> Bool {
    guard isOverlay, let own = (try? Overlay.ground(at: path)?.base) ?? nil else { return false }
    // A connection's path has no links in it; the one that is asked about may have.
    let place = (try? FileSystem.realPath(base)) ?? base
    return Text(own) == Text(place) && !Overlay.isOne(place)
  }

  /// What SQLite reads as this database's main file, where that is an overlay.
  var overlay: OverlayContent? {
    guard isOverlay, let handle = unsafe handleIfOpen else { return nil }
    let file = unsafe csqlite_file(handle, "main", SQLITE_FCNTL_FILE_POINTER)
    return unsafe ReadFiles.content(of: file) as? OverlayContent
  }
}
