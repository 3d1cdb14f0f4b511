internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

// The copy of the store for a run that leaves nothing next to it, not even a changed -shm.
extension SourceSnapshot {
  /// Copies the store into the run's folder.
  ///
  /// - Throws: ``Failure`` of kind `busy` when another process writes all the time.
  package static func untouched(
    _ folder: WorkFolder, wait: Duration = .seconds(5)
  ) throws -> SourceSnapshot {
    try replacing(what, folder.store) {
      let stamp = try Stamp(ofFile: folder.store)
      guard let clone = try clone(folder) else {
        return SourceSnapshot(record: try copy(folder, stamp, wait) { _, _ in true })
      }
      return try settled(clone, stamp) { clone, connection in
        let image = try connection.pageImage()
        try connection.close()
        try FileMoves.rename(clone.path, to: folder.sourcePath)
        return (image, ())
      }.snapshot
    }
  }

  /// Takes a part of the store in place of all of it.
  ///
  /// - Parameters:
  ///   - folder: The run's folder.
  ///   - copiesBelow: From which size on a store is read where it is, and not copied whole.
  ///   - extract: Writes the part into the run's folder, from the database at a path; the flag says
  ///     whether that is the store itself, which others may be using.
  /// - Returns: The copy, and what `extract` gave back.
  /// - Throws: ``Failure`` as ``untouched(_:wait:)``.
  package static func part<Result>(
    of folder: WorkFolder, copiesBelow: Int64 = Store.copiesBelow,
    extract: (_ path: String, _ isStill: Bool) throws -> Result
  ) throws -> (snapshot: SourceSnapshot, result: Result) {
    try replacing(what, folder.store) {
      let stamp = try Stamp(ofFile: folder.store)
      let header = try DatabaseFile.examine(folder.store).header
      let isStill = try isPlain(folder) ? false : canStayInPlace(folder, copiesBelow)
      func content() throws -> PageImage {
        let copy = try Connection(path: folder.sourcePath, mode: .foreign)
        defer { try? copy.close() }
        return try copy.pageImage()
      }
      guard let clone = try isStill ? nil : clone(folder) else {
        let result = try extract(folder.store, isStill)
        let record = SourceRecord(
          image: try content(), stamp: stamp, journal: header.isWAL ? "wal" : "delete")
        return (SourceSnapshot(record: record), result)
      }
      return try settled(clone, stamp) { clone, connection in
        try connection.close()
        let result = try extract(clone.path, isStill)
        return (try content(), result)
      }
    }
  }

  /// A clone of the store where SQLite would write next to it to read it; nil where it would not.
  ///
  /// "If the database is in WAL mode ... the -shm file is written even by readers" (SQLite,
  /// Write-Ahead Logging), and a -journal that a crash left is rolled back into the store.
  private static func clone(_ folder: WorkFolder) throws -> TemporaryClone? {
    try isPlain(folder) ? nil : TemporaryClone(of: StoreFiles(folder.store), in: folder.path)
  }

  private static func isPlain(_ folder: WorkFolder) throws -> Bool {
    let files = try StoreFiles(folder.store)
    return try files.walBytes == nil && files.journalBytes == nil
      && !DatabaseFile.examine(files.path).header.isWAL
  }

  /// Whether a part of the store is better read where it is than all of it copied.
  private static func canStayInPlace(_ folder: WorkFolder, _ copiesBelow: Int64) throws -> Bool {
    let files = try StoreFiles(folder.store)
    return try files.bytes >= copiesBelow && (files.journalBytes ?? 0) == 0
      && DatabaseFile.examine(files.path).isStill
  }

  /// Makes one file of a clone and its journals.
  private static func settled<Result>(
    _ clone: TemporaryClone, _ stamp: Stamp,
    _ body: (TemporaryClone, Connection) throws -> (PageImage, Result)
  ) throws -> (snapshot: SourceSnapshot, result: Result) {
    try withExtendedLifetime(clone) {
      var mode = OpenMode.foreignWritable
      mode.durability = .off
      let connection = try Connection(path: clone.path, mode: mode)
      defer { try? connection.close() }
      let isWAL = connection.file?.header.isWAL == true
      _ = try connection.setJournalMode("DELETE")
      let (image, result) = try body(clone, connection)
      let record = SourceRecord(image: image, stamp: stamp, journal: isWAL ? "wal" : "delete")
      return (SourceSnapshot(record: record), result)
    }
  }
}
