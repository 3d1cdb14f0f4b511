internal import Synchronization

/// The database files this process has open, so that it never opens one twice.
///
/// Two reasons. "If process A has two connections and closes any descriptor of the file, POSIX
/// drops all its locks" (SQLite, os_unix.c, Posix Advisory Locking). And SQLite before 3.51.3 can
/// damage a WAL database that is open twice in one process, when both reset the WAL.
enum OpenFiles {
  private static let open = Mutex<Set<FileIdentity>>([])

  /// Marks a file as open; fails when it is already.
  static func claim(_ identity: FileIdentity, path: String) throws(SQLiteError) {
    guard open.withLock({ $0.insert(identity).inserted }) else {
      throw .refused(
        .alreadyOpen, "this process has the file open already; a file is opened once at a time",
        path: path)
    }
  }

  /// Marks a file as closed.
  static func release(_ identity: FileIdentity) {
    open.withLock { _ = $0.remove(identity) }
  }

  /// Whether a connection of this process has the file open.
  static func contains(_ identity: FileIdentity) -> Bool {
    open.withLock { $0.contains(identity) }
  }
}
