internal import CSQLite

/// A read transaction that knows exactly which pages it sees.
///
/// SQLite does not tell which WAL frame a reader's snapshot ends at. So the log is parsed, the
/// transaction begun, the log looked at again: when nothing was committed in between, the snapshot
/// is what was parsed. The transaction stays open until `end()`, for the copying of what was seen.
package final class Snapshot {
  /// The connection that reads.
  package let connection: Connection
  private let main: OpenFile
  private let log: Log?
  private let isOwner: Bool

  /// The log of a database in WAL mode.
  struct Log {
    let file: OpenFile
    let content: WriteAheadLog
  }

  private static let attempts = 50

  /// Begins a read transaction; with a write transaction open, that one is used.
  ///
  /// What a write transaction has changed without committing is not seen; it must not have
  /// changed anything in rollback mode, where it writes into the main file before its commit.
  package init(_ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    let isOwner = !connection.isInTransaction
    self.isOwner = isOwner
    if isOwner { try Self.begin(connection) }
    do {
      main = try OpenFile.main(of: connection)
      log = try Self.settle(connection, isOwner: isOwner)
    } catch {
      if isOwner { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  deinit { try? end() }

  /// Ends the read transaction, unless it was somebody else's.
  package func end() throws(SQLiteError) {
    if isOwner, connection.isInTransaction { try connection.execute("ROLLBACK") }
  }

  private static func begin(_ connection: Connection) throws(SQLiteError) {
    // BEGIN alone reads nothing: "no locks are acquired until the first read" (Transactions).
    try connection.execute("BEGIN")
    do {
      _ = try connection.scalar("SELECT 1 FROM sqlite_master LIMIT 1")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  /// The log as the open transaction sees it; the transaction may be begun anew to get there.
  private static func settle(
    _ connection: Connection, isOwner: Bool
  ) throws(SQLiteError) -> Log? {
    // In rollback mode the transaction's shared lock keeps every writer off the main file.
    guard try connection.string("PRAGMA main.journal_mode") == "wal",
      let file = try OpenFile.journal(of: connection)
    else { return nil }
    var content = try WriteAheadLog(file)
    // A writer is alone: the last commit is the one it began from.
    if connection.transactionState() == .write { return Log(file: file, content: content) }
    guard isOwner else {
      throw .misuse(
        "a read transaction was begun before its snapshot was asked for", path: connection.path)
    }
    for _ in 0..<attempts {
      try connection.execute("ROLLBACK")
      try begin(connection)
      if try !content.refresh(file) { return Log(file: file, content: content) }
    }
    throw SQLiteError(
      SQLITE_BUSY, "the file is being written all the time", path: connection.path)
  }

  /// Reads the pages of one run, page numbers counted from 1.
  func read(
    page: Int, into buffer: UnsafeMutableRawBufferPointer, pageSize: Int
  ) throws(SQLiteError) {
    let isThere: Bool
    if let log, let frame = log.content.frames[UInt32(page)] {
      isThere = unsafe try log.file.fill(buffer, at: log.content.offset(ofFrame: frame))
    } else {
      isThere = unsafe try main.fill(buffer, at: Int64(page - 1) * Int64(pageSize))
    }
    guard isThere else {
      throw SQLiteError(
        SQLITE_CORRUPT, "page \(page) lies beyond the end of the file", path: connection.path)
    }
  }

  /// Fails when the log was begun anew while its pages were read.
  func checkUnchanged() throws(SQLiteError) {
    guard let log, !log.content.frames.isEmpty, try !log.content.hasSameHeader(log.file) else {
      return
    }
    throw SQLiteError(
      SQLITE_BUSY, "the file was written while it was read", path: connection.path)
  }

  /// How many pages from `page` on, at most `most`, lie in the main file one after the other.
  func runLength(from page: Int, most: Int) -> Int {
    guard let log, !log.content.frames.isEmpty else { return most }
    var length = 0
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

  private func firstBytes() throws(SQLiteError) -> [UInt8] {
    if let log, let frame = log.content.frames[1] {
      return try log.file.bytes(
        DatabaseHeader.length, at: log.content.offset(ofFrame: frame)) ?? []
    }
    return try main.bytes(DatabaseHeader.length, at: 0) ?? []
  }
}
