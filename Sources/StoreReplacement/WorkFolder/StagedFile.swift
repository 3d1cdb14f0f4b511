internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

/// The removal of a store that was being built and is of no use.
package enum StagedFile {
  /// Removes the file and what SQLite left next to it, which may be there alone.
  ///
  /// The file goes first: without its log, which a kill would leave it, it is another database.
  /// `there` are the names in its folder, where they are known.
  package static func remove(_ path: String, among there: [String]? = nil) throws {
    let all = suffixes + [flatSuffix, flatSuffix + FileMoves.unfinished]
    guard let there else { return try remove(path, all) }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    try remove(path, all.filter { there.contains(name + $0) })
  }

  private static let suffixes =
    ["", "-journal", "-wal", "-shm", Overlay.baseSuffix]
    + Overlay.layerSuffixes.flatMap { [$0, $0 + "-wal"] }

  private static func remove(_ path: String, _ suffixes: [String]) throws {
    for suffix in suffixes {
      try replacing("cannot remove the unfinished store", path + suffix) {
        try FileMoves.remove(path + suffix)
      }
    }
  }

  /// What the name of a store ends with that is written as one file, until it has its own name.
  static let flatSuffix = "-flat"

  /// Puts the file that was written in the place of what it was written from, if it is there.
  ///
  /// The log goes before the file gets its name: "if a database file is separated from its WAL
  /// file", or another is there under its name, "the database file might become corrupted" (SQLite,
  /// Write-Ahead Logging).
  static func settle(_ path: String) throws {
    try replacing("cannot resume the run", path) {
      guard try FileEntry.at(path + flatSuffix) != nil else { return }
      try remove(path, suffixes)
      // A power cut must not leave the log next to the file.
      try FileSystem.sync(folderOf: path)
      try FileMoves.rename(path + flatSuffix, to: path)
      try FileSystem.sync(folderOf: path)
    }
  }
}
