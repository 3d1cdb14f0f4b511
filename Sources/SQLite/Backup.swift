internal import CSQLite
internal import OperatingSystem

/// A page-level copy of one database into another by SQLite's backup API: one transaction on the
/// destination, a consistent snapshot of the source, its WAL included.
@safe package final class Backup {
  package enum Step: Sendable {
    /// There are pages left.
    case more
    /// All pages are copied; `finish()` commits.
    case done
    /// Another connection holds a lock; nothing was copied, the same step may be tried again.
    case busy
  }

  private let source: Connection
  private let destination: Connection
  private var handle: OpaquePointer?

  /// Begins to copy `source` over `destination`, whose content is lost at the end.
  package init(
    from source: Connection, _ sourceSchema: String = "main",
    to destination: Connection, _ destinationSchema: String = "main"
  ) throws(SQLiteError) {
    let into = unsafe try destination.handle()
    let from = unsafe try source.handle()
    self.source = source
    self.destination = destination
    unsafe handle = sqlite3_backup_init(into, destinationSchema, from, sourceSchema)
    if unsafe handle == nil { throw unsafe .last(of: into, path: destination.path) }
  }

  deinit { _ = unsafe sqlite3_backup_finish(handle) }

  /// Pages still to copy, after the last step.
  package var remaining: Int { Int(unsafe handle.map { unsafe sqlite3_backup_remaining($0) } ?? 0) }

  /// Pages of the source, after the last step.
  package var pageCount: Int { Int(unsafe handle.map { unsafe sqlite3_backup_pagecount($0) } ?? 0) }

  /// Copies up to `pages` pages; all that are left when it is negative.
  package func step(pages: Int = -1) throws(SQLiteError) -> Step {
    guard let handle = unsafe handle else { throw .misuse("the backup is finished") }
    let code = unsafe sqlite3_backup_step(handle, Int32(clamping: pages))
    switch code {
    case SQLITE_OK: return .more
    case SQLITE_DONE: return .done
    default:
      // SQLITE_BUSY and SQLITE_LOCKED: "the call can be retried later on"; NOMEM, READONLY and
      // IOERR are "fatal errors" (C API, Online Backup).
      if code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED { return .busy }
      throw .forCode(code, path: destination.path)
    }
  }

  /// Ends the backup: keeps the copy when all was copied, else leaves the destination as it was.
  package func finish() throws(SQLiteError) {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    let code = unsafe sqlite3_backup_finish(handle)
    guard code == SQLITE_OK else { throw .forCode(code, path: destination.path) }
  }
}

extension Connection {
  /// Copies this database over another one, in steps, and waits up to `wait` for locks.
  ///
  /// `progress` is given the pages done and the pages in all; false stops, and the destination is
  /// as it was. A step of -1 pages cannot be stopped and does not start over when the source
  /// changes.
  package func copy(
    to destination: Connection, pagesPerStep: Int = 1024, wait: Duration = .zero,
    progress: PageProgress = { _, _ in true }
  ) throws(SQLiteError) {
    let backup = try Backup(from: self, to: destination)
    var giveUp = Deadline(in: wait)
    while true {
      switch try backup.step(pages: pagesPerStep) {
      case .done: return try backup.finish()
      case .more: giveUp = Deadline(in: wait)
      case .busy:
        guard !giveUp.isOver else {
          throw .forCode(SQLITE_BUSY, path: destination.path)
        }
        _ = sqlite3_sleep(10)
      }
      guard progress(backup.pageCount - backup.remaining, backup.pageCount) else {
        throw .forCode(SQLITE_INTERRUPT, path: destination.path)
      }
    }
  }
}
