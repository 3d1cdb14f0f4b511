package import CoreDataStore
internal import OperatingSystem
internal import SQLite

/// Whether a store can be replaced at all, asked before anything is written.
package enum StoreSuitability {
  /// Refuses what would go wrong later.
  ///
  /// With `--output` the store's own file is not `replaced`, and fewer things matter.
  ///
  /// - Throws: ``Failure`` that says what is wrong with the store, its folder or its disk.
  package static func check(_ files: StoreFiles, replaced: Bool = true) throws {
    try replacing(replaced ? what : "cannot use the store", files.path) {
      let database = try DatabaseFile.examine(files.path)
      // A process that opens the store rolls a -journal back first, and gives the file its old
      // length.
      let isOpenEnded = (files.journalBytes ?? 0) > 0
      guard isOpenEnded || database.size % Int64(database.header.pageSize) == 0 else {
        throw SQLiteError(
          11, "its length is no multiple of its page size: it is cut off or damaged",
          path: files.path)
      }
      if replaced { try checkPlace(files) }
    }
  }

  private static let what = "cannot replace the store"

  private static func checkPlace(_ files: StoreFiles) throws {
    guard files.otherNames == 0 else {
      // A -wal belongs to its main file by name only.
      throw failure(
        .unusable, files, "The file has \(files.otherNamesText).",
        remedy: "Work on a copy of the store, give --output, or remove all names but one.")
    }
    guard try !FileSystem.isRemote(files.folder) else {
      // "SQLite depends on exclusive locks for write operations, and those have been known to
      // operate incorrectly for some network filesystems" (How To Corrupt, 2.1).
      throw failure(
        .refused, files, "It is on the disk of another machine, where locks cannot be relied on.",
        remedy: "Copy it to a disk of this machine, or give --output.")
    }
    guard files.isFolderWritable, FileSystem.mayWrite(files.path) else {
      throw failure(
        .refused, files, "The store, or the folder it is in, cannot be written.",
        remedy: "Change the permissions, or give --output and --work.")
    }
    for folder in [files.supportFolder, files.externalDataFolder] {
      guard try FileEntry.at(folder) != nil, (try? OpenDescriptor(folder: folder)) == nil
      else { continue }
      throw failure(
        .unusable, files, "\(folder) is not a folder of its own.",
        remedy: "Put the folder itself there, no link to it.")
    }
  }

  private static func failure(
    _ category: Failure.Kind, _ files: StoreFiles, _ why: String, remedy: String
  ) -> Failure {
    Failure(category, what: what, subject: files.path, why: why, remedy: remedy)
  }
}
