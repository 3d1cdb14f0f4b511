internal import Formats
package import OperatingSystem

/// A database file as it is on disk, looked at without SQLite.
///
/// SQLite 3.40 calls a file of one byte an empty database and a truncated file sound, waits at a
/// FIFO until a process writes to it, and deletes what a crafted journal names: so each existing
/// file is looked at here before SQLite sees it.
package struct DatabaseFile: Equatable, Sendable {
  /// The path with all links resolved: the -wal and -journal next to this name are the file's.
  package let path: String
  package let identity: FileIdentity
  /// Its length in bytes.
  package let size: Int64
  /// Its first 100 bytes, read.
  package let header: DatabaseHeader

  /// Looks at an existing file that no connection of this process has open.
  package static func examine(_ path: String) throws(SQLiteError) -> DatabaseFile {
    let found = try locate(path)
    try found.claim()
    defer { OpenFiles.release(found.identity) }
    return try examineClaimed(found)
  }

  /// Whether the file can be read by ``OpenMode/still``: no process has written to it a moment ago.
  package var isStill: Bool { ReadWay.still.name != nil && (try? StillContent(path)) != nil }

  /// Whether a file that is so long with its log can be read by ``OpenMode/loaded``.
  package static func canBeLoaded(bytes: Int64) -> Bool {
    ReadWay.loaded.name != nil && bytes <= StillContent.mostLoaded
  }

  /// Whether there is something in the log next to a database.
  ///
  /// SQLite opens a log that is there, whatever the database's header says (pager.c,
  /// pagerOpenWalIfPresent); an empty one is none to it (os_unix.c, unixAccess).
  package static func hasLog(_ path: String) throws(SQLiteError) -> Bool {
    try asking(about: path + "-wal") { () throws(SystemError) in
      (try FileEntry.at(path + "-wal")?.size ?? 0) > 0
    }
  }

  /// Where an existing regular file is, and which one.
  static func locate(_ path: String) throws(SQLiteError) -> Location {
    try refuseUnusable(path)
    let resolved = try asking(about: path) { () throws(SystemError) in
      try FileSystem.realPath(path)
    }
    let status = try asking(about: path) { () throws(SystemError) in
      try FileEntry.at(resolved)
    }
    guard let status else { throw .missing(path) }
    guard status.isRegular else { throw .notRegular(resolved) }
    return Location(path: resolved, identity: status.identity)
  }

  /// Makes a new, empty file and says where it is; fails when something is there.
  static func create(_ path: String) throws(SQLiteError) -> Location {
    try refuseUnusable(path)
    let status = try asking(about: path) { () throws(SystemError) in try FileEntry.at(path) }
    guard status == nil else {
      throw .refused(.exists, "a new database was to be made here, but a file is there", path: path)
    }
    try asking(about: path) { () throws(SystemError) in
      _ = try OpenDescriptor(creatingShared: path)
    }
    return try locate(path)
  }

  /// The checks, for a file that the caller has claimed in `OpenFiles`.
  ///
  /// They close descriptors of the file: SQLite must not have it open.
  static func examineClaimed(
    _ location: Location, _ isOverlay: Bool = false
  ) throws(SQLiteError) -> DatabaseFile {
    let path = location.path
    try checkSideFiles(of: path)
    if isOverlay { return try OverlayContent(path).file(at: location) }
    let (status, start) = try asking(about: path) { () throws(SystemError) in
      let file = try OpenDescriptor(reading: path)
      return (try FileEntry.of(file), try file.read(DatabaseHeader.length, at: 0))
    }
    guard status.isRegular, status.identity == location.identity else { throw .notRegular(path) }
    let header = try readHeader(start, path: path)
    let file = DatabaseFile(
      path: path, identity: location.identity, size: status.size, header: header)
    try file.checkLength()
    try HotJournal.check(besides: path)
    return file
  }

  static func readHeader(
    _ bytes: [UInt8], path: String
  ) throws(SQLiteError) -> DatabaseHeader {
    if bytes.isEmpty { throw .refused(.empty, "the file is empty", path: path) }
    if let header = DatabaseHeader(bytes) { return header }
    if DatabaseHeader.hasMagic(bytes) {
      throw .refused(.truncated, "the file's header is cut off or damaged", path: path)
    }
    throw .refused(.notADatabase, "encrypted (SQLCipher?) or not an SQLite file", path: path)
  }

  /// Refuses a file shorter than its header says, unless a journal next to it accounts for that.
  ///
  /// In WAL mode pages may still be in the -wal alone; a hot -journal restores the old length.
  private func checkLength() throws(SQLiteError) {
    let needed = Int64(header.pageCount ?? 1) * Int64(header.pageSize)
    guard size < needed else { return }
    for suffix in ["-wal", "-journal"] {
      let status = try asking(about: path + suffix) { () throws(SystemError) in
        try FileEntry.at(path + suffix)
      }
      if let status, status.size > 0 { return }
    }
    let (said, found) = ByteSize.texts(Int(needed), Int(size))
    throw .refused(
      .truncated, "the file is cut off: its header says \(said), it has \(found)", path: path)
  }

  /// SQLite opens these by name, whatever they are.
  private static func checkSideFiles(of path: String) throws(SQLiteError) {
    for suffix in ["-wal", "-shm", "-journal"] {
      let status = try asking(about: path + suffix) { () throws(SystemError) in
        try FileEntry.at(path + suffix)
      }
      guard let status, !status.isRegular else { continue }
      throw .refused(
        .sideFileNotRegular, "this file next to the database is not a regular file",
        path: path + suffix)
    }
  }

  private static func refuseUnusable(_ path: String) throws(SQLiteError) {
    guard path.isEmpty || path.utf8.contains(0) else { return }
    throw .refused(.path, "a path must not be empty and must not contain a NUL", path: path)
  }
}

/// A resolved path and the file it leads to.
struct Location {
  let path: String
  let identity: FileIdentity

  /// Marks the file as open, and refuses one that is already.
  func claim(_ claim: OpenFiles.Claim = .alone) throws(SQLiteError) {
    guard !OpenFiles.claim(identity, claim) else { return }
    throw .refused(
      .alreadyOpen, "this process has the file open already; a file is opened once at a time",
      path: path)
  }
}

/// Runs calls to the operating system; a failure becomes an error that names the file.
func asking<Answer: ~Copyable>(
  about path: String, _ question: () throws(SystemError) -> Answer
) throws(SQLiteError) -> Answer {
  do {
    return try question()
  } catch {
    throw .system(error, path: path)
  }
}

extension SQLiteError {
  static func missing(_ path: String) -> Self {
    .refused(.missing, "there is no such file or folder", path: path)
  }

  static func notRegular(_ path: String) -> Self {
    .refused(.notRegular, "not a regular file", path: path)
  }
}
