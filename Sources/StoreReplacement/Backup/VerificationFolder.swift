package import CoreDataStore
internal import OperatingSystem
package import SQLite

/// Copies of a store and of the backup that it is compared with, in a folder of their own: others
/// may use the store meanwhile, and neither of the two changes by being read.
package struct VerificationFolder {
  /// The files: the copy of the backup is what a run would read.
  package let folder: WorkFolder
  private let backup: StoreBackup
  private let store: StoreFiles

  private static let what = "cannot verify the store"

  /// The folder for a store and a backup of it; nothing is made yet.
  package init(of store: WorkFolder, against backup: StoreBackup) throws {
    self.store = try StoreFiles(store.store)
    self.backup = backup
    folder = try WorkFolder(store: backup.mainPath, work: store.work + "/verify")
  }

  /// The copy of the store.
  package var targetPath: String { folder.path + "/now.sqlite" }

  /// The folder of the store's large values, which are not copied.
  package var targetExternals: String { store.externalDataFolder }

  /// The folders of a run that makes the stores between the versions of a chain again.
  package var steps: WorkFolder {
    get throws {
      try WorkFolder(
        copy: folder.sourcePath, work: folder.work + "/steps", externals: folder.externals)
    }
  }

  /// Copies both; the caller has the folder's lock.
  ///
  /// - Returns: The content of the store.
  /// - Throws: ``Failure`` when one cannot be read, or there is no room.
  package func copy(_ store: Store) throws -> PageImage {
    try replacing(Self.what, backup.path) {
      try backup.withContent(in: folder.path) { try Self.copy($0, to: folder.sourcePath) }
    }
    return try replacing(Self.what, store.files.path) {
      try Self.copy(store.connection, to: targetPath)
      let copy = try Connection(path: targetPath, mode: .foreign)
      defer { try? copy.close() }
      return try copy.pageImage()
    }
  }

  private static func copy(_ source: Connection, to path: String) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] { try FileMoves.remove(path + suffix) }
    var mode = OpenMode.own(create: true)
    mode.durability = .off
    let copy = try Connection(path: path, mode: mode)
    // In one step a writer cannot make it start over.
    try source.copy(to: copy, pagesPerStep: -1, wait: .seconds(10))
    // The copy says WAL when the store does.
    _ = try copy.setJournalMode("DELETE")
    try copy.close()
    try FileMoves.remove(path + "-wal")
  }

  /// The large values of the store that are in no file.
  package func missingValues(_ schema: StoreSchema) throws -> [MissingExternals] {
    try replacing(Self.what, targetPath) {
      let copy = try Connection(path: targetPath, mode: .foreign)
      defer { try? copy.close() }
      return try ExternalFolder.missing(from: targetExternals, in: copy) { schema }
    }
  }

  /// Takes over what ``steps`` has made, as the store that the last of `count` steps reads; what
  /// that one has made, too, is the one to compare with.
  package func takeSteps(before count: Int, throughLast: Bool) throws {
    let steps = try steps
    try replacing(Self.what, steps.nextPath) {
      let read = folder.source(ofStep: count - 1, of: count)
      if throughLast {
        // What the last step reads may be an overlay: most of it is in other files then.
        if count > 1 { try PageFile.copy(steps.source(ofStep: count - 1, of: count), to: read) }
        try FileMoves.rename(steps.nextPath, to: folder.againPath)
      } else if count > 1 {
        try FileMoves.rename(steps.nextPath, to: read)
      }
      guard try FileEntry.at(steps.nextExternals) != nil else { return }
      try FileMoves.rename(steps.nextExternals, to: folder.nextExternals)
    }
  }

  /// Removes everything, the lock's file too.
  package func remove() throws {
    try replacing("cannot remove the copies of a verification", folder.work) {
      try FileMoves.removeTree(folder.work)
    }
  }
}
