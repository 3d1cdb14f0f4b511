internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

/// The removal of a store that was being built and is of no use.
package enum StagedFile {
  /// Removes the file and what SQLite left next to it, which may be there alone.
  ///
  /// The file goes first: without its log, which a kill would leave it, it is another database.
  package static func remove(_ path: String) throws {
    for suffix in ["", "-journal", "-wal", "-shm", Overlay.baseSuffix] {
      try replacing("cannot remove the unfinished store", path + suffix) {
        try FileMoves.remove(path + suffix)
      }
    }
  }
}
