internal import SQLite

// The copy of the store for a run that leaves nothing beside it, not even a changed -shm.
extension SourceSnapshot {
  /// Copies the store into the run's folder.
  ///
  /// - Throws: ``StoreError`` of kind `busy` when somebody writes all the time.
  package static func untouched(
    _ folder: RunFolder, wait: Duration = .seconds(5)
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
        return image
      }
    }
  }

  /// Takes some objects of each entity, and what these lead to, in place of the whole store.
  ///
  /// - Parameters:
  ///   - folder: The run's folder.
  ///   - schema: What the store is made of.
  ///   - count: How many objects of each entity are wanted.
  ///   - wait: How long to wait for another process that writes.
  ///   - copiesBelow: From which size on a store is rather read where it is than copied whole.
  /// - Returns: The copy, and how many links were cut because they led on and on.
  /// - Throws: ``StoreError`` as ``untouched(_:wait:)``.
  package static func sampled(
    _ folder: RunFolder, _ schema: StoreSchema, objects count: Int, wait: Duration = .seconds(5),
    copiesBelow: Int64 = Store.copiesBelow
  ) throws -> (snapshot: SourceSnapshot, cutLinks: Int) {
    try replacing(what, folder.store) {
      let stamp = try Stamp(ofFile: folder.store)
      var cut = 0
      let header = try DatabaseFile.examine(folder.store).header
      let isStill = try isPlain(folder) ? false : canStayInPlace(folder, copiesBelow)
      func make(of path: String) throws -> PageImage {
        cut = try SampledStore.make(
          at: folder.sourcePath, of: path, schema: schema, objects: count, wait: wait,
          isStill: isStill)
        let copy = try Connection(path: folder.sourcePath, mode: .foreign)
        defer { try? copy.close() }
        return try copy.pageImage()
      }
      guard let clone = try isStill ? nil : clone(folder) else {
        let image = try make(of: folder.store)
        let record = SourceRecord(
          image: image, stamp: stamp, journal: header.isWAL ? "wal" : "delete")
        return (SourceSnapshot(record: record), cut)
      }
      let snapshot = try settled(clone, stamp) { clone, connection in
        try connection.close()
        return try make(of: clone.path)
      }
      return (snapshot, cut)
    }
  }

  /// A clone of the store where SQLite would write beside it to read it; nil where it would not.
  ///
  /// "If the database is in WAL mode ... the -shm file is written even by readers" (SQLite,
  /// Write-Ahead Logging), and a -journal that a crash left is rolled back into the store.
  private static func clone(_ folder: RunFolder) throws -> TemporaryClone? {
    try isPlain(folder) ? nil : TemporaryClone(of: StoreFiles(folder.store), in: folder.path)
  }

  private static func isPlain(_ folder: RunFolder) throws -> Bool {
    let files = try StoreFiles(folder.store)
    return try files.walBytes == nil && files.journalBytes == nil
      && !DatabaseFile.examine(files.path).header.isWAL
  }

  /// Whether a part of the store is better read where it is than all of it copied.
  private static func canStayInPlace(_ folder: RunFolder, _ copiesBelow: Int64) throws -> Bool {
    let files = try StoreFiles(folder.store)
    return try files.bytes >= copiesBelow && (files.journalBytes ?? 0) == 0
      && DatabaseFile.examine(files.path).isStill
  }

  /// Makes one file of a clone and its journals.
  private static func settled(
    _ clone: TemporaryClone, _ stamp: Stamp,
    _ body: (TemporaryClone, Connection) throws -> PageImage
  ) throws -> SourceSnapshot {
    try withExtendedLifetime(clone) {
      var mode = OpenMode.foreignWritable
      mode.durability = .off
      let connection = try Connection(path: clone.path, mode: mode)
      defer { try? connection.close() }
      let isWAL = connection.file?.header.isWAL == true
      _ = try connection.setJournalMode("DELETE")
      let image = try body(clone, connection)
      return SourceSnapshot(
        record: SourceRecord(image: image, stamp: stamp, journal: isWAL ? "wal" : "delete"))
    }
  }
}
