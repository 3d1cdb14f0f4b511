internal import SQLite

/// A store that is held still while it is backed up.
protocol CopiedStore {
  /// Its content, where no other process can change it.
  var image: PageImage? { get }
  /// A connection to that content; nil where others can change it.
  var reader: Connection? { get }
  var journal: String { get }

  /// Copies the main file and its -wal, as they are.
  func clone(to path: String) throws

  /// Gives a file the permissions, the owner and the extended attributes of the main file.
  ///
  /// The main file must not be opened for it: "all locks associated with a file for a given process
  /// shall be removed when a file descriptor for that file is closed by that process" (POSIX,
  /// fcntl).
  func copyAttributes(to path: String) throws

  /// The digest of a file that `clone(to:)` has made, where all of it was read before; else nil.
  func digest(ofClone path: String) throws -> FileDigest?
}

extension CopiedStore {
  func digest(ofClone path: String) throws -> FileDigest? { nil }
}
