internal import Synchronization
internal import SystemHost

/// The database files this process has open, so that it never opens one twice.
///
/// Two reasons. "If process A has two connections and closes any descriptor of the file, POSIX
/// drops all its locks" (SQLite, os_unix.c, Posix Advisory Locking). And SQLite before 3.51.3 can
/// damage a WAL database that is open twice in one process, when both reset the WAL. A file that is
/// only read, without a WAL, may be opened again: SQLite itself keeps the descriptors of one file
/// open until the last of its connections is closed.
///
/// Descriptors that are no connection's are closed here as well: while SQLite has their file, they
/// wait until it lets go of it.
package enum OpenFiles {
  package enum Claim {
    /// By one connection, and no other.
    case alone
    /// For reading, along with others that only read.
    case shareable
    /// For reading, where another connection has it open like that.
    case shared
  }

  /// How many connections have a file open, and whether all of them let others read.
  private struct Users {
    var count: Int
    var isShareable: Bool
    /// Whether SQLite has the file, or is about to.
    var isConnected = false
    /// Descriptors that are closed when SQLite lets go of the file.
    var waiting: [Int32] = []
  }

  private static let open = Mutex<[FileIdentity: Users]>([:])

  /// Marks a file as open; false when it is already, and cannot be shared.
  package static func claim(_ identity: FileIdentity, _ claim: Claim = .alone) -> Bool {
    open.withLock { open in
      guard let users = open[identity] else {
        guard claim != .shared else { return false }
        open[identity] = Users(count: 1, isShareable: claim == .shareable)
        return true
      }
      guard claim == .shared, users.isShareable else { return false }
      open[identity]?.count += 1
      return true
    }
  }

  /// Says that SQLite opens a claimed file from here on.
  package static func connect(_ identity: FileIdentity) {
    open.withLock { $0[identity]?.isConnected = true }
  }

  /// Marks a file as closed by one of its connections.
  package static func release(_ identity: FileIdentity) {
    open.withLock { open in
      guard let users = open[identity] else { return }
      guard users.count == 1 else {
        open[identity]?.count -= 1
        open[identity]?.isShareable = true
        return
      }
      open[identity] = nil
      users.waiting.forEach { sh_close($0) }
    }
  }

  /// Closes a descriptor that was not opened by SQLite; at once, unless SQLite has its file.
  ///
  /// "All locks associated with a file for a given process shall be removed when a file descriptor
  /// for that file is closed by that process" (POSIX, fcntl). SQLite keeps its own descriptors for
  /// as long (os_unix.c, setPendingFd).
  package static func close(_ descriptor: Int32) {
    open.withLock { open in
      // Where SQLite has no file there is no need to ask which one this is.
      guard open.values.contains(where: \.isConnected),
        let identity = try? FileEntry.of(descriptor: descriptor).identity,
        open[identity]?.isConnected == true
      else { return sh_close(descriptor) }
      open[identity]?.waiting.append(descriptor)
    }
  }

  /// Whether a connection of this process has the file open.
  package static func contains(_ identity: FileIdentity) -> Bool {
    open.withLock { $0[identity] != nil }
  }
}
