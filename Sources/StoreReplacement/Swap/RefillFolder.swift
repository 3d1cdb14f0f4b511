package import CoreDataStore
internal import OperatingSystem
internal import SQLite

// The files of a run that feeds objects into the store: the store as it is, a copy of it that gets
// them, and the store that they come from.
extension WorkFolder {
  private static let what = "cannot put rejected objects into the store"

  /// The store that the objects come from: the backup of the run that rejected them.
  package var basisPath: String { path + "/basis.sqlite" }

  /// The file that keeps the objects that fail again until all is done.
  package var againRejectsPath: String { path + "/again-rejects.sqlite" }

  /// Compares the room that this takes with what is free; `isChain` when stores on the way are made
  /// again.
  ///
  /// - Throws: ``Failure`` with the figures when there is too little.
  package func checkSpaceForRefill(
    from backup: StoreBackup, isChain: Bool, hasBackup: Bool
  ) throws {
    let files = try StoreFiles(store)
    let old = files.bytes + (files.walBytes ?? 0)
    // The backup, the copies that the objects go into and come from, and two stores on the way.
    try SpaceNeeded(
      old: old, new: max(old, backup.bytes), stores: isChain ? 5 : 3,
      oldBlobs: try ExternalFolder.bytes(in: files.externalDataFolder), hasBackup: hasBackup
    ).check(self)
  }

  /// Keeps what the folder says of the last run while another retry works in it.
  ///
  /// A retry that did not come to its end is none of the store's `runs`, and is not kept.
  ///
  /// - Returns: What puts it back.
  package func keepingNotes(runs: [String]) throws -> () throws -> Void {
    let notes = "\(path)/\(BackupProvenance.fileName)"
    let state = try RunState.read(self)
    let isOver = state.map { $0.work != .retry || runs.contains($0.run) } ?? true
    let kept = try replacing(Self.what, path) {
      try [statePath, notes].map { ($0, isOver ? try FileSystem.record($0, most: .max) : nil) }
    }
    return {
      try replacing(Self.what, path) {
        for (path, bytes) in kept {
          if let bytes { try FileMoves.write(bytes, to: path) } else { try FileMoves.remove(path) }
        }
      }
    }
  }

  /// Copies the store, and the backup that the objects come from.
  ///
  /// - Returns: What was copied of the store, which the swap compares it with.
  /// - Throws: ``Failure`` of kind `busy` when another process writes to the store for longer than
  ///   `wait`.
  package func copyForRefill(from backup: StoreBackup, wait: Duration) throws -> SourceRecord {
    let record = try SourceSnapshot.make(self, wait: wait).record
    return try replacing(Self.what, nextPath) {
      try FileMoves.remove(nextPath)
      try FileSystem.clone(sourcePath, to: nextPath)
      try FileMoves.remove(basisPath)
      try FileMoves.remove(againRejectsPath)
      try backup.withContent(in: path) { content in
        var mode = OpenMode.own(create: true)
        mode.durability = .off
        let basis = try Connection(path: basisPath, mode: mode)
        try content.copy(to: basis, pagesPerStep: -1)
        // The copy says WAL when the backup does.
        _ = try basis.setJournalMode("DELETE")
        try basis.close()
      }
      return record
    }
  }

  /// Puts the large values of new objects next to the staged store, where the store has them not:
  /// its run removed what only the objects referred to that were rejected.
  ///
  /// - Parameter folder: The folder of the large values that the objects had.
  /// - Throws: ``Failure`` when one cannot be copied.
  package func placeRefilledExternals(from folder: String) throws {
    try replacing(Self.what, nextPath) {
      let there = Set(try ExternalFolder.names(in: externals))
      let staged = Set(try ExternalFolder.names(in: nextExternals))
      let old = Set(try ExternalFolder.names(in: folder))
      let missing = try StagedContent.references(self).subtracting(there).subtracting(staged)
      for name in missing.intersection(old).sorted() {
        try FileSystem.makeFolder(nextExternals)
        try FileSystem.clone("\(folder)/\(name)", to: "\(nextExternals)/\(name)")
      }
    }
  }

  /// The folders of a run that makes the stores between the versions of a chain again.
  package func refillSteps(externals: String) -> WorkFolder {
    WorkFolder(copy: basisPath, work: stepsOfRefill, externals: externals)
  }

  private var stepsOfRefill: String { path + "/steps" }

  /// Removes the file of objects that failed again, when it was read.
  package func removeAgainRejects() throws {
    try replacing("cannot remove the run's files", againRejectsPath) {
      for suffix in ["", "-journal"] { try FileMoves.remove(againRejectsPath + suffix) }
    }
  }

  /// Removes what only such a run has.
  package func removeRefill() throws {
    try replacing("cannot remove the run's files", path) {
      for file in [basisPath, againRejectsPath] {
        for suffix in ["", "-wal", "-shm", "-journal"] { try FileMoves.remove(file + suffix) }
      }
      try FileMoves.removeTree(stepsOfRefill)
    }
  }
}
