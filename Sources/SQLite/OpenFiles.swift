internal import Synchronization

/// The database files this process has open, so that it never opens one twice.
///
/// Two reasons. "If process A has two connections and closes any descriptor of the file, POSIX
/// drops all its locks" (SQLite, os_unix.c, Posix Advisory Locking). And SQLite before 3.51.3 can
/// damage a WAL database that is open twice in one process, when both reset the WAL. A file that is
/// only read, without a WAL, may be opened again: SQLite itself keeps the descriptors of one file
/// open until the last of its connections is closed.
enum OpenFiles {
  /// How a file is opened.
  enum Claim {
    /// By one connection, and no other.
    case alone
    /// For reading, beside others that only read.
    case shareable
    /// For reading, where another connection has it open like that.
    case shared
  }

  /// How many connections have a file open, and whether all of them let others read.
  private struct Users {
    var count: Int
    var isShareable: Bool
  }

  private static let open = Mutex<[FileIdentity: Users]>([:])

  /// Marks a file as open; fails when it is already, and cannot be shared.
  static func claim(
    _ identity: FileIdentity, path: String, _ claim: Claim = .alone
  ) throws(SQLiteError) {
    let isFree = open.withLock { open in
      guard let users = open[identity] else {
        guard claim != .shared else { return false }
        open[identity] = Users(count: 1, isShareable: claim == .shareable)
        return true
      }
      guard claim == .shared, users.isShareable else { return false }
      open[identity]?.count += 1
      return true
    }
    guard isFree else {
      throw .refused(
        .alreadyOpen, "this process has the file open already; a file is opened once at a time",
        path: path)
    }
  }

  /// Marks a file as closed by one of its connections.
  static func release(_ identity: FileIdentity) {
    open.withLock { open in
      guard let users = open[identity] else { return }
      open[identity] = users.count > 1 ? Users(count: users.count - 1, isShareable: true) : nil
    }
  }

  /// Whether a connection of this process has the file open.
  static func contains(_ identity: FileIdentity) -> Bool {
    open.withLock { $0[identity] != nil }
  }
}
