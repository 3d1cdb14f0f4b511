internal import Foundation

/// A copy of a store's database files in a folder of its own, removed when it goes.
///
/// Reading a store can change it: SQLite leaves a -wal and a -shm beside a store in WAL mode,
/// empties the -wal when it closes, and rolls a -journal back. On a clone it may.
package final class TemporaryClone {
  /// The main file of the clone.
  package let path: String
  private let folder: URL

  /// How often copying is begun anew because somebody writes meanwhile.
  private static let attempts = 5

  /// Clones the main file, the -wal and the -journal; the -shm is rebuilt whenever it is missing.
  ///
  /// No connection of this process may have the store open: closing a descriptor of a file drops
  /// all locks that the process holds on it (POSIX, fcntl).
  ///
  /// - Throws: ``StoreError`` when there is no room, or the store changes all the time.
  package init(of files: StoreFiles, in parent: String? = nil) throws {
    let place = parent.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
    folder = place.appending(path: Self.prefix + UUID().uuidString)
    path = folder.appending(path: files.name).path
    do {
      try FileSystem.makeFolder(folder.path)
    } catch {
      throw StoreError(
        .refused, what: Self.what, subject: folder.path, why: "\(error.message).",
        remedy: "Set TMPDIR to a folder that can be written and try again.")
    }
    do {
      try copy(files)
    } catch let error as SystemError {
      remove()
      throw StoreError(error, what: Self.what, subject: files.path)
    } catch {
      remove()
      throw error
    }
  }

  deinit { remove() }

  private static let what = "cannot copy the store to look at it"
  private static let suffixes = ["", "-wal", "-journal"]

  /// Removes the clones that killed processes left in a folder that only one process uses.
  static func removeLeft(in parent: String) throws {
    var left: [String] = []
    try FileSystem.forEachName(in: parent) { name in
      if name.hasPrefix(prefix) { left.append("\(parent)/\(name)") }
    }
    for path in left { try FileMoves.removeTree(path) }
  }

  /// What the names of their folders begin with.
  static let prefix = "pipeline-look-"

  private func remove() { try? FileMoves.removeTree(folder.path) }

  private func copy(_ files: StoreFiles) throws {
    for _ in 0..<Self.attempts {
      let before = try Self.state(of: files)
      for suffix in Self.suffixes {
        try FileMoves.remove(path + suffix)
        try cloneIfThere(files.path + suffix, to: path + suffix)
      }
      if try Self.state(of: files) == before { return }
    }
    throw StoreError(
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
