internal import OperatingSystem

/// A copy of a store's database files in a folder of its own, removed when it goes.
///
/// Reading a store can change it: SQLite leaves a -wal and a -shm next to a store in WAL mode,
/// empties the -wal when it closes, and rolls a -journal back. On a clone it may.
package final class TemporaryClone {
  /// The main file of the clone.
  package let path: String
  private let folder: OwnedFolder

  /// How often copying starts over because another process writes meanwhile.
  private static let attempts = 5

  /// Clones the main file, the -wal and the -journal; the -shm is rebuilt whenever it is missing.
  ///
  /// - Throws: ``Failure`` when there is no room, or the store changes all the time.
  package init(of files: StoreFiles, in parent: String? = nil) throws {
    do {
      folder = try OwnedFolder(.look, in: parent)
      try FileSystem.makeFolder(folder.path)
      try? FileSystem.protect(folder.path, like: files.path)
    } catch {
      throw Failure(
        .refused, what: Self.what, subject: parent ?? "the folder for temporary files",
        why: "\(error.message).",
        remedy: "Set TMPDIR to a folder that can be written and try again.")
    }
    path = "\(folder.path)/\(files.name)"
    try replacing(Self.what, files.path) { try copy(files) }
  }

  private static let what = "cannot copy the store to look at it"
  private static let suffixes = ["", "-wal", "-journal"]

  private func copy(_ files: StoreFiles) throws {
    for _ in 0..<Self.attempts {
      let before = try Self.state(of: files)
      for suffix in Self.suffixes {
        try FileMoves.remove(path + suffix)
        try cloneIfThere(files.path + suffix, to: path + suffix)
      }
      if try Self.state(of: files) == before { return }
    }
    throw Failure(
      .busy, what: Self.what, subject: files.path, why: "It is being written all the time.",
      remedy: "Quit the application that has the store open and try again.")
  }

  private func cloneIfThere(_ source: String, to target: String) throws(SystemError) {
    do {
      try FileSystem.clone(source, to: target)
    } catch {
      guard error.isMissing, source.hasSuffix("-wal") || source.hasSuffix("-journal") else {
        throw error
      }
    }
  }

  /// What must be the same before and after, so that one moment was copied.
  ///
  /// A -wal may grow meanwhile: what is appended is not in the copy, or counts only as far as its
  /// checksums are whole. "The salts are changed each time it is reset" (Database File Format, 4).
  private static func state(of files: StoreFiles) throws -> State {
    State(
      main: try FileEntry.at(files.path), journal: try FileEntry.at(files.path + "-journal"),
      logHeader: try FileSystem.start(of: files.path + "-wal", count: 32))
  }

  private struct State: Equatable {
    let main: FileEntry?
    let journal: FileEntry?
    let logHeader: [UInt8]?
  }
}
