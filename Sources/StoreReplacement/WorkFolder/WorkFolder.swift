package import CoreDataStore
internal import Formats
internal import Foundation
internal import OperatingSystem
internal import SQLite

/// Where the run of one store keeps its files.
///
/// The work folder is `<store>.pipeline` next to the store or one of the user's choice. In it `run`
/// goes when the run is done or abandoned; the backups and the rejected objects stay.
package struct WorkFolder: Sendable, Hashable {
  /// The store's main file, every link resolved.
  package let store: String
  package let work: String
  /// Where the store's large values are, when they are not next to it.
  private var otherExternals: String?

  /// The folders for a store that is there; nothing is made yet.
  ///
  /// - Throws: ``Failure`` when there is no store.
  package init(store: String, work: String? = nil) throws {
    self.init(resolved: try StoreFiles.path(of: store), work: work)
  }

  /// The folders for a store that is to be made.
  ///
  /// - Throws: ``Failure`` when there is no folder that it could be in.
  package init(newStore store: String, work: String? = nil) throws {
    self.init(resolved: try StorePath.resolved(store), work: work)
  }

  /// The folders of a store, whether or not it is there.
  ///
  /// - Throws: ``Failure`` when there is no folder that the store could be in.
  package static func of(_ store: String, work: String? = nil) throws -> WorkFolder {
    try StoreFiles.isThere(store)
      ? WorkFolder(store: store, work: work) : WorkFolder(newStore: store, work: work)
  }

  /// The folders for a copy of a store whose large values stay where they are.
  package init(copy store: String, work: String, externals: String) {
    self.init(resolved: store, work: work)
    otherExternals = externals
  }

  /// The folder of the store's large values.
  package var externals: String {
    get throws {
      try otherExternals ?? StoreFiles.externalDataFolder(of: StoreFiles.path(of: store))
    }
  }

  private init(resolved store: String, work: String?) {
    self.store = store
    let work = work.map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    // Paths in it are kept in the run's state, and are to mean the same in any folder.
    self.work =
      work.map { $0.hasPrefix("/") ? $0 : "\(FileManager.default.currentDirectoryPath)/\($0)" }
      ?? Self.usualWork(of: store)
  }

  /// The work folder of a store, unless the user names another.
  package static func usualWork(of store: String) -> String { store + ".pipeline" }

  /// Whether a work folder has a folder `run` that no run has made: such a folder is removed with
  /// all that is in it.
  package static func isForeign(_ work: FilePlace) -> Bool {
    var isEmpty = true
    try? FileSystem.forEachName(in: work.path + "/run") { _ in isEmpty = false }
    // The empty file that a run makes first, and that goes last.
    let lock = try? FileEntry.at(work.path + "/run/lock")
    return !isEmpty && !(lock?.isRegular == true && lock?.size == 0)
  }

  /// The run's own folder.
  package var path: String { work + "/run" }
  /// The copy of the store that the run reads.
  package var sourcePath: String { path + "/source.sqlite" }
  /// The store that the run makes.
  package var nextPath: String { path + "/next.sqlite" }
  /// The large values of the new store that the old one has not, each a file.
  package var nextExternals: String { path + "/next_EXTERNAL" }
  /// What the run knows of itself.
  package var statePath: String { path + "/state.json" }
  /// Where the run is, for those who look on.
  package var progressPath: String { path + "/progress.json" }
  /// The file whose lock says that a process is at it.
  package var lockPath: String { path + "/lock" }
  /// The old stores, a folder each.
  package var backups: String { work + "/backups" }
  /// The objects that scripts rejected.
  package var rejectsPath: String { work + "/rejects.sqlite" }

  /// Makes the folders that are not there, for their owner alone.
  ///
  /// They are not synced: a power cut that takes them takes a run that has changed nothing yet. The
  /// swap syncs them before it does.
  package func make() throws {
    var new: [String] = []
    for folder in [work, path] {
      if (try? FileEntry.at(folder)) == .some(nil) { new.append(folder) }
      do throws(SystemError) {
        try FileSystem.makeFolder(folder)
      } catch {
        var error = Failure(error, what: "cannot make the work folder", subject: folder)
        if error.kind == .refused {
          error.remedy += " --work puts it elsewhere; a store that is not writable needs --output."
        }
        throw error
      }
    }
    for folder in new { protect(folder) }
    // Known before the work of hours.
    _ = try replacing("cannot make the work folder", backups) {
      try FileSystem.isFolder(backups)
    }
  }

  /// Gives a new folder the protection class of the store, and leaves it out of the device's
  /// backups if the store is left out.
  ///
  /// A folder that was there before may hold other files, and stays as it is. What the file system
  /// cannot do stays undone: the folder is for its owner alone in any case.
  private func protect(_ folder: String) {
    try? FileSystem.protect(folder, like: store)
    leaveOutOfBackups(folder, like: store)
  }

  /// Removes what a finished run no longer needs: the copy, the staged store, its large values.
  package func removeStaging() throws {
    try replacing("cannot remove the run's files", path) {
      // Who has the run's lock is alone here: a file that is not there does not come, and to remove
      // each that might be there would be thirty calls and more.
      let there = try namesThere()
      func isThere(_ beginnings: String...) -> Bool {
        there.contains { name in beginnings.contains { name.hasPrefix($0) } }
      }
      try StagedFile.remove(sourcePath, among: there)
      try StagedFile.remove(nextPath, among: there)
      try removeSteps(among: there)
      if isThere("again") { try removeAgain() }
      if isThere("again-rejects", "basis", "steps") { try removeRefill() }
      if isThere("next_EXTERNAL") { try FileMoves.removeTree(nextExternals) }
      if isThere(OwnedFolder.beginning) { OwnedFolder.removeLeft(in: path) }
    }
  }

  /// The names of what is in the run's folder; none when that is not there.
  func namesThere() throws(SystemError) -> [String] {
    do throws(SystemError) {
      return try FileSystem.names(in: path)
    } catch {
      if error.isMissing { return [] }
      throw error
    }
  }

  /// Removes the run's folder, its state and lock with it; never backups or rejected objects.
  package func removeRun() throws {
    try replacing("cannot remove the run's folder", path) {
      try FileMoves.removeTree(path, lock: "lock")
    }
  }
}
