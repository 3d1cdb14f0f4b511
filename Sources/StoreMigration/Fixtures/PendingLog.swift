internal import CoreDataStore
internal import SQLite
internal import StoreReplacement

/// A store whose -wal holds what its main file has not: what an application keeps next to it while
/// it runs, and leaves behind when it is killed.
package enum PendingLog {
  /// Lets a store become another one, by pages that stay in its -wal; the other file goes.
  ///
  /// - Parameters:
  ///   - store: The store, whose main file stays as it is but for the mark that it has a -wal.
  ///   - full: The store that it becomes, of pages of the same size.
  /// - Throws: ``Failure``.
  package static func leave(_ store: String, becoming full: String) throws {
    try replacing("cannot make the new store", store) {
      let source = try Connection(path: full, mode: .own(create: false))
      let target = try Connection(path: store, mode: .own(create: false))
      _ = try target.setJournalMode("WAL")
      try target.keepLogWhenClosed()
      try source.copy(to: target, pagesPerStep: -1)
      try source.close()
      try target.close()
      try StagedFile.remove(full)
    }
  }
}
