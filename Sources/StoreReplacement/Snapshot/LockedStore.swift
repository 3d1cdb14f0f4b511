internal import CoreDataStore
internal import Formats
internal import OperatingSystem
internal import SQLite

/// A store that no other process can read or write, from here to `close()`.
final class LockedStore: CopiedStore {
  let connection: Connection
  /// The content when it was locked.
  let content: PageImage
  var image: PageImage? { content }
  var reader: Connection? { connection }
  /// The journal mode when it was locked.
  let journal: String

  /// The copy of the content that a run has made, which has the same pages; nil where it has none.
  let copy: (path: String, digest: FileDigest)?

  private let folder: WorkFolder
  private var main: OpenDescriptor?

  /// Locks the store.
  ///
  /// - Parameters:
  ///   - folder: The run's folder.
  ///   - wait: How long to wait for another process.
  ///   - copy: The path of the run's copy, which is compared with the store, page by page, as that
  ///     is read; nil where it is not wanted.
  ///   - image: The image of that copy, where this process knows it; else the store is digested.
  ///   - pageSize: The size of a page for which the store stays in WAL mode through the exchange,
  ///     if it is in that mode with nothing in its log; nil where it leaves it for the exchange.
  /// - Throws: ``Failure`` of kind `busy` when another process has it for longer than `wait`.
  init(
    _ folder: WorkFolder, wait: Duration, comparing copy: String? = nil,
    withImage image: PageImage? = nil, keepingWAL pageSize: Int? = nil
  ) throws {
    self.folder = folder
    do {
      // Opened before SQLite locks the file and closed after: "if a process closes any descriptor
      // of a file, all its locks on the file are dropped" (POSIX, fcntl).
      let main = try StoreUsers.openAlone(folder, wait)
      let identity = try FileEntry.of(main).identity
      self.main = consume main
      // In WAL mode BEGIN EXCLUSIVE alone does not see an idle reader; the locking mode, set before
      // the first read, does (SQLite, PRAGMA locking_mode).
      var mode = OpenMode.foreignWritable
      mode.wait = wait
      mode.canHoldLock = true
      connection = try Self.locked(folder.store, mode, keepingWAL: pageSize)
      guard connection.identity() == identity else { throw Self.replaced(folder) }
      journal =
        try connection.hidesWAL ? "wal" : connection.string("PRAGMA main.journal_mode") ?? ""
      var twin = Twin(copy)
      content = try Self.content(of: connection, &twin, image)
      self.copy = twin.digest.flatMap { digest in copy.map { ($0, digest) } }
    } catch let error as SQLiteError where error.isBusy {
      throw StoreUsers.busy(folder)
    }
  }

  private static func locked(
    _ path: String, _ mode: OpenMode, keepingWAL pageSize: Int?
  ) throws -> Connection {
    var mode = mode
    mode.hidesWAL = pageSize != nil
    let connection = try Connection(path: path, mode: mode)
    try connection.execute("BEGIN EXCLUSIVE")
    _ = try connection.scalar("SELECT 1 FROM sqlite_master LIMIT 1")
    guard connection.hidesWAL else { return connection }
    // Another process may have written to the log before the lock was there. With the lock none
    // can: one that uses the file in WAL mode has a shared lock on it as long as it does.
    if connection.file?.header.pageSize == pageSize, try !DatabaseFile.hasLog(path),
      try connection.string("PRAGMA main.journal_mode") != "wal"
    {
      return connection
    }
    try connection.execute("ROLLBACK")
    try connection.close()
    return try locked(path, mode, keepingWAL: nil)
  }

  /// The content of the store: that of the copy, where all pages are the same.
  private static func content(
    of connection: Connection, _ twin: inout Twin, _ image: PageImage?
  ) throws -> PageImage {
    guard let image else { return try connection.copyPages(to: { twin.take($0, $1) }) }
    try connection.givePages { twin.take($0, $1) }
    if twin.isWhole(image.pageCount * image.pageSize) { return image }
    return try connection.pageImage()
  }

  private static let what = "cannot replace the store"

  private static func replaced(_ folder: WorkFolder) -> Failure {
    Failure(
      .busy, what: what, subject: folder.store,
      why: "Another file was put in its place just now. Nothing was changed.",
      remedy: "Give the same command again.")
  }

  /// Copies the main file and its -wal, as they are under the lock; or takes the run's own copy of
  /// this content, which nothing writes any more.
  ///
  /// SQLite locks the main file and the -shm, never the -wal: a descriptor of that does no harm.
  func clone(to path: String) throws {
    if let copy, try FileMoves.link(copy.path, to: path) { return }
    guard main != nil else { return }
    try main?.clone(to: path)
    let log = folder.store + "-wal"
    guard let entry = try FileEntry.at(log), entry.size > 0 else { return }
    try FileSystem.clone(log, to: path + "-wal")
  }

  /// A second name of the run's copy has the bytes that the first one has.
  func digest(ofClone path: String) throws -> FileDigest? {
    guard let copy, let entry = try FileEntry.at(path),
      try FileEntry.at(copy.path)?.identity == entry.identity
    else { return nil }
    return copy.digest
  }

  func copyAttributes(to path: String) throws {
    try main?.copyAttributes(at: folder.store, to: path)
  }

  /// Ends the transaction that keeps the content as it is; the locks stay.
  func endTransaction() throws {
    if connection.isInTransaction { try connection.execute("ROLLBACK") }
  }

  /// Writes the content of another database over this one, in one transaction of SQLite.
  ///
  /// A process that opens the store after a crash finds its rollback journal and puts the old
  /// content back, or finds none and has the new one (SQLite, Atomic Commit).
  func exchange(for source: Connection) throws {
    try endTransaction()
    // "The database page size cannot be changed ... in WAL mode" (PRAGMA page_size), and a WAL's
    // commit is not in the main file: it is checkpointed and left, unless there is none.
    guard try connection.hidesWAL || connection.setJournalMode("DELETE") == "delete" else {
      throw StoreUsers.busy(folder)
    }
    if try exchangePages(for: source) { return }
    guard !connection.hidesWAL else {
      throw SQLiteError(11, "its pages cannot be written one by one", path: folder.store)
    }
    // One step of all pages: between two steps of a copy others could come in.
    let backup = try Backup(from: source, to: connection)
    guard try backup.step() == .done else { throw StoreUsers.busy(folder) }
    try backup.finish()
  }

  /// Writes the pages that differ; false where they are of another size.
  private func exchangePages(for source: Connection) throws -> Bool {
    guard var exchange = try connection.exchange(for: source) else { return false }
    let journal = folder.store + "-journal"
    try connection.withLockHeld {
      try removeLeftovers()
      try writeJournal(of: &exchange, journal)
      try exchange.writePages()
      // "This is the instant where the transaction commits" (SQLite, Atomic Commit, 3.11).
      try FileMoves.remove(journal)
      try FileSystem.sync(folderOf: journal)
    }
    return true
  }

  /// Writes the journal, or leaves none: a disk that is full must not stay full because of it.
  private func writeJournal(of exchange: inout PageExchange, _ path: String) throws {
    var isMade = false
    do {
      try exchange.writeJournal(path) {
        isMade = true
        try copyAttributes(to: $0)
      }
    } catch {
      // No page is written yet: nothing is lost with it.
      if isMade { try? FileMoves.remove(path) }
      throw error
    }
  }

  /// Puts a copy of another database in the place of this one, which stays locked, as one file.
  ///
  /// For stores too large for the journal of `exchange`. A process that has the old file open keeps
  /// it, and would never learn of the new one: with the lock taken none is at work, but in rollback
  /// mode an idle one cannot be seen.
  ///
  /// - Parameter write: Writes the other database to a path.
  /// - Throws: ``Failure`` of kind `busy`, and what `write` throws: the old file is in place then.
  func rename(writing write: (_ path: String) throws -> Void) throws {
    try endTransaction()
    guard try connection.setJournalMode("DELETE") == "delete" else {
      throw StoreUsers.busy(folder)
    }
    _ = try connection.scalar("SELECT 1 FROM sqlite_master LIMIT 1")
    try removeSideFiles()
    try FileMoves.makeWhole(folder.store, replaces: true) {
      try write($0)
      try copyAttributes(to: $0)
    }
  }

  /// Makes sure that nothing next to the old file is taken for the new one's: a -wal or -journal
  /// belongs to a file by its name only.
  private func removeSideFiles() throws {
    try removeLeftovers()
    // In the mode "delete" the log is in the main file. SQLite removes it then, and does not say
    // when it could not.
    try FileMoves.remove(folder.store + "-wal")
    guard try FileEntry.at(folder.store + "-journal") == nil else {
      throw StoreUsers.busy(folder)
    }
    try FileSystem.sync(folderOf: folder.store)
  }

  /// Removes what means nothing any more: a finished journal, shared memory that no process uses.
  ///
  /// In exclusive mode a finished journal stays, "its header overwritten with zeros" (PRAGMA
  /// locking_mode), also when the process dies then. Nothing maps the -shm of a file that is
  /// locked, and it is "rebuilt" when it is missing (Write-Ahead Logging).
  func removeLeftovers() throws {
    let journal = folder.store + "-journal"
    if let start = try FileSystem.start(of: journal, count: 8), start.allSatisfy({ $0 == 0 }) {
      try FileMoves.remove(journal)
    }
    try FileMoves.remove(folder.store + "-shm")
    // An empty log, which SQLite would remove when it leaves the mode.
    if connection.hidesWAL, try !DatabaseFile.hasLog(folder.store) {
      try FileMoves.remove(folder.store + "-wal")
    }
  }

  /// Sets the journal mode that the file asks for; a read puts it into the file.
  func setJournal(_ mode: String) throws {
    try endTransaction()
    if connection.hidesWAL, mode == "wal" { return }
    let now = try connection.setJournalMode(mode == "wal" ? "WAL" : "DELETE")
    _ = try connection.scalar("SELECT 1 FROM sqlite_master LIMIT 1")
    guard now == mode else {
      throw SQLiteError(5, "the journal mode stays \(now)", path: folder.store)
    }
  }

  /// Gives the locks back.
  ///
  /// In exclusive mode SQLite leaves a finished journal until the mode is left: "the lock is
  /// released the next time the database file is accessed" (PRAGMA locking_mode).
  func close() throws {
    try endTransaction()
    _ = try? connection.execute("PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_master LIMIT 1")
    try connection.close()
    main = nil
  }
}

extension OpenDescriptor {
  /// Copies the file to a new one.
  borrowing func clone(to path: String) throws(SystemError) {
    try FileSystem.clone(self, to: path)
  }

  /// Gives a file its permissions, owner and extended attributes; `path` is its own.
  borrowing func copyAttributes(at path: String, to target: String) throws(SystemError) {
    try FileSystem.copyAttributes(of: self, to: target)
  }
}

/// The run's copy of a store, read along with that: whether both have the same pages, and the
/// digest of the copy's bytes.
private struct Twin: ~Copyable {
  private let file: OpenDescriptor?
  private let size: Int64
  private var digesting: BackgroundDigest
  private var length: Int64 = 0
  private var isSame: Bool

  init(_ path: String?) {
    let entry = path.flatMap { try? FileEntry.at($0) }
    size = entry?.size ?? 0
    digesting = BackgroundDigest(ofBytes: Int(size))
    isSame = entry?.isRegular == true
    if isSame, let path { file = try? OpenDescriptor(reading: path) } else { file = nil }
  }

  /// Takes pages of the store in their order; they may come once more, from the first.
  mutating func take(_ offset: Int64, _ pages: ArraySlice<UInt8>) -> Bool {
    if offset == 0, length > 0 { (digesting, length) = (BackgroundDigest(ofBytes: Int(size)), 0) }
    guard isSame else { return true }
    guard offset == length, var own = try? file?.read(pages.count, at: offset),
      PageImage.areSame(own[...], pages, at: offset)
    else {
      isSame = false
      return true
    }
    length += Int64(own.count)
    digesting.add(&own, first: own.count)
    return true
  }

  /// Whether store and copy have so many bytes, all of them the same.
  func isWhole(_ count: Int) -> Bool {
    isSame && length > 0 && length == size && length == Int64(count)
  }

  /// The digest of all bytes of the copy, where it is one.
  var digest: FileDigest? {
    guard isWhole(Int(size)) else { return nil }
    return FileDigest(bytes: length, sha256: Hex.encode(digesting.finish()))
  }
}
