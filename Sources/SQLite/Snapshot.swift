internal import CSQLite

/// A read transaction that knows exactly which pages it sees.
///
/// SQLite does not say which WAL frame a reader's snapshot ends at, but the WAL-index says which
/// frame a reader that begins now ends at. So it is read, the transaction begun, and read again:
/// when it is still the same, the snapshot is the one it describes. The log alone would not do: a
/// commit is in the file a while before readers see it, for ever when its writer died in between.
/// The transaction stays open until `end()`, for the copying of what was seen.
package final class Snapshot {
  package let connection: Connection
  /// The name of the database on its connection.
  private let schema: String
  private let main: OpenFile
  private var log: Log?
  private var isOwner: Bool

  /// The log of a database in WAL mode.
  struct Log {
    let file: OpenFile
    let content: WriteAheadLog
  }

  private static let attempts = 1000

  /// Begins a read transaction; with a write transaction open, that one is used.
  ///
  /// What a write transaction has changed without committing is not seen; it must not have
  /// changed anything in rollback mode, where it writes into the main file before its commit.
  package init(_ connection: Connection, _ schema: String = "main") throws(SQLiteError) {
    (self.connection, self.schema) = (connection, schema)
    let isOwner = !connection.isInTransaction
    self.isOwner = isOwner
    if isOwner { try Self.begin(connection, schema) }
    do {
      main = try OpenFile.main(of: connection, schema)
      log = try Self.settle(connection, schema, main, isOwner: isOwner)
    } catch {
      if isOwner { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  deinit { try? end() }

  /// The log's last frame of each page that is in it, the last of all, and the log's header.
  var frames: (pages: [UInt32: UInt32], last: UInt32, header: [UInt8]) {
    (log?.content.frames ?? [:], log?.content.committedFrames ?? 0, log?.content.header ?? [])
  }

  /// Ends the read transaction, unless the caller began it.
  package func end() throws(SQLiteError) {
    guard isOwner else { return }
    isOwner = false
    if connection.isInTransaction { try connection.execute("ROLLBACK") }
  }

  private static func begin(_ connection: Connection, _ schema: String) throws(SQLiteError) {
    // BEGIN alone reads nothing: "no locks are acquired until the first read" (Transactions).
    try connection.execute("BEGIN")
    do {
      _ = try connection.scalar("SELECT 1 FROM \(Identifier.quoted(schema)).sqlite_master LIMIT 1")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  /// The log as the open transaction sees it; the transaction may start over to get there.
  private static func settle(
    _ connection: Connection, _ schema: String, _ main: OpenFile, isOwner: Bool
  ) throws(SQLiteError) -> Log? {
    let name = Identifier.quoted(schema)
    // In rollback mode the transaction's shared lock keeps every writer off the main file.
    guard try connection.string("PRAGMA \(name).journal_mode") == "wal",
      let file = try OpenFile.journal(of: connection, schema)
    else { return nil }
    // "EXCLUSIVE locking mode ... the WAL-index is stored in heap memory" (WAL mode): no other
    // connection reads or writes, and the log's last commit is the state.
    if try connection.string("PRAGMA \(name).locking_mode") == "exclusive" {
      return Log(file: file, content: try WriteAheadLog(file))
    }
    let index = try settledIndex(connection, schema, main, isOwner: isOwner)
    if index.committedFrames == 0 { return nil }
    let content = try WriteAheadLog(file, upTo: index.committedFrames)
    // With other salts the log has been restarted since: see `leaveRestartedLog`.
    guard content.header.count == WriteAheadLog.headerLength,
      content.header[16..<24] == index.salts, try content.hasSameHeader(file)
    else { return nil }
    guard content.committedFrames == index.committedFrames else {
      throw SQLiteError(SQLITE_CORRUPT, "the -wal is damaged", path: connection.path)
    }
    return Log(file: file, content: content)
  }

  /// The WAL-index that the open transaction began from.
  private static func settledIndex(
    _ connection: Connection, _ schema: String, _ main: OpenFile, isOwner: Bool
  ) throws(SQLiteError) -> LogIndex {
    // A writer is alone: no other connection writes the index, and its own commit has not.
    if connection.transactionState(of: schema) == .write, let index = try LogIndex(main) {
      return index
    }
    guard isOwner else {
      throw .misuse(
        "a read transaction was begun before its snapshot was asked for", path: connection.path)
    }
    for _ in 0..<attempts {
      let before = try LogIndex(main)
      try connection.execute("ROLLBACK")
      try begin(connection, schema)
      if let before, try before == LogIndex(main) { return before }
    }
    throw SQLiteError(SQLITE_BUSY, "the file is being written all the time", path: connection.path)
  }

  /// Reads the pages of one run, page numbers counted from 1.
  func read(
    page: Int, into buffer: UnsafeMutableRawBufferPointer, pageSize: Int
  ) throws(SQLiteError) {
    let isThere: Bool
    if let log, let frame = log.content.frames[UInt32(page)] {
      isThere = unsafe try log.content.fill(buffer, fromFrame: frame, of: log.file)
    } else {
      isThere = unsafe try main.fill(buffer, at: Int64(page - 1) * Int64(pageSize))
    }
    guard isThere else {
      throw SQLiteError(
        SQLITE_CORRUPT, "page \(page) lies beyond the end of the file", path: connection.path)
    }
  }

  /// Notices that the log was restarted since the transaction began, and reads without it then.
  ///
  /// A log is restarted only when "no readers are using it" (WAL mode, Checkpointing): this one,
  /// then, found the whole log copied into the main file at its beginning and holds
  /// WAL_READ_LOCK(0), which keeps every checkpoint off the main file (wal.c, walTryBeginRead):
  /// all it sees is there.
  func leaveRestartedLog() throws(SQLiteError) -> Bool {
    guard let log, !log.content.frames.isEmpty, try !log.content.hasSameHeader(log.file) else {
      return false
    }
    self.log = nil
    return true
  }

  /// How many pages from `page` on, at most `most`, lie one after the other, in the main file or in
  /// the log.
  func runLength(from page: Int, most: Int) -> Int {
    guard let log, !log.content.frames.isEmpty else { return most }
    var length = log.content.runLength(from: UInt32(page), most: most)
    if length > 0 { return length }
    while length < most, log.content.frames[UInt32(page + length)] == nil { length += 1 }
    return length
  }

  /// The size of a page and their number.
  func extent() throws(SQLiteError) -> (pageSize: Int, pageCount: Int) {
    let fallback = Int(log?.content.pageCount ?? 0)
    let first = try firstBytes()
    guard let header = DatabaseHeader(first) else {
      throw SQLiteError(
        SQLITE_NOTADB, "the file has no pages", path: connection.path)
    }
    if let log, log.content.pageSize != 0, log.content.pageSize != header.pageSize {
      throw SQLiteError(
        SQLITE_CORRUPT, "the -wal has pages of another size", path: connection.path)
    }
    if let count = header.pageCount { return (header.pageSize, count) }
    let inFile = try Int(main.size()) / header.pageSize
    return (header.pageSize, fallback != 0 ? fallback : inFile)
  }

  /// Whether there can be so many pages.
  ///
  /// Each is in the main file or the log, but for the lock-byte page, which is in neither. A log
  /// can say anything, and memory for that many may not be there.
  func hasRoom(for pageCount: Int, pageSize: Int) throws(SQLiteError) -> Bool {
    try pageCount <= Int(main.size()) / pageSize + frames.pages.count + 1
  }

  private func firstBytes() throws(SQLiteError) -> [UInt8] {
    if let log, let frame = log.content.frames[1] {
      return try log.file.bytes(
        DatabaseHeader.length, at: log.content.offset(ofFrame: frame)) ?? []
    }
    return try main.bytes(DatabaseHeader.length, at: 0) ?? []
  }
}

/// What the WAL-index says of the log: which frames readers see.
///
/// Offsets are those of SQLite's WAL-mode File Format, section 2.1; numbers are in the machine's
/// own byte order.
struct LogIndex: Equatable, Sendable {
  private static let version: UInt32 = 3_007_000
  private let header: [UInt8]

  /// The index as it is; nil while another process is writing it.
  init?(_ main: OpenFile) throws(SQLiteError) {
    guard let header = try main.logIndexHeader() else { return nil }
    self.header = header
    guard number(at: 0) == Self.version else { return nil }
  }

  /// "Number of valid and committed frames in the WAL file" (offset 16).
  var committedFrames: UInt32 { number(at: 16) }

  /// "Two random 32-bit values copied from the WAL file header" (offset 32).
  var salts: ArraySlice<UInt8> { header[32..<40] }

  private func number(at index: Int) -> UInt32 {
    let value = header.bigEndian32(at: index)
    return UInt32(littleEndian: 1) == 1 ? value.byteSwapped : value
  }
}
