internal import CoreDataStore
internal import OperatingSystem
package import SQLite

/// The new store that a run has made, before it takes the old one's place.
package enum StagedStore {
  private static let what = "cannot use the new store"

  /// Checks it, makes sure that it outlives a power cut, and writes the phase `validated`.
  ///
  /// With `full` SQLite compares indexes and tables too, which takes as long as copying twice.
  ///
  /// - Throws: ``Failure``; after a failed sync the staged file is gone, because "the state of
  ///   the file is unknown" then: the next run makes it again.
  package static func seal(
    _ folder: WorkFolder, _ state: inout RunState, full: Bool = false,
    progress: PageProgress = { _, _ in true }
  ) throws {
    state.next = try check(folder, mark: state.mark, full: full, progress: progress)
    state.phase = .validated
    try state.write(folder)
  }

  /// Checks it, and makes sure that it outlives a power cut; gives back its content's image.
  static func check(
    _ folder: WorkFolder, mark: String, full: Bool = false,
    progress: PageProgress = { _, _ in true }
  ) throws -> PageImage {
    let next = try replacing(what, folder.nextPath) {
      let isOverlay = Overlay.isOne(folder.nextPath)
      if !isOverlay { try settleJournal(of: folder.nextPath) }
      for suffix in isOverlay ? ["-journal"] : ["-wal", "-journal"]
      where try FileEntry.at(folder.nextPath + suffix) != nil {
        // The run closes it before: what is still there could not be removed.
        throw failure(folder, "It was not closed: its \(suffix) is still there.", .refused)
      }
      let connection = try Connection(path: folder.nextPath, mode: .foreign)
      defer { try? connection.close() }
      guard try CommitMarker.last(in: connection) == mark else {
        throw failure(folder, "Its metadata does not name the run that made it.")
      }
      let problems = try connection.problems(full ? .full : .quick)
      guard problems.isEmpty else { throw failure(folder, "It is damaged: \(problems[0]).") }
      return try connection.pageImage(progress: progress)
    }
    try makeDurable(folder)
    return next
  }

  /// Removes a -journal that could not be removed before.
  ///
  /// A process that reads the file rolls a hot one back first, and SQLite removes it then. One that
  /// is left is not hot: "the rollback journal header is well-formed and in particular has not been
  /// zeroed out" is not true of it (SQLite, Atomic Commit, 4.2).
  private static func settleJournal(of path: String) throws {
    guard try FileEntry.at(path + "-journal") != nil else { return }
    let connection = try Connection(path: path, mode: .own(create: false))
    _ = try connection.integer("SELECT count(*) FROM sqlite_master")
    try connection.close()
    if try FileEntry.at(path + "-journal") != nil { try FileMoves.remove(path + "-journal") }
  }

  private static func makeDurable(_ folder: WorkFolder) throws {
    do {
      // An overlay was synced when its step was over, and so was what is below it.
      if !Overlay.isOne(folder.nextPath) { try FileSystem.sync(folder.nextPath) }
      for name in try ExternalFolder.names(in: folder.nextExternals) {
        try FileSystem.sync("\(folder.nextExternals)/\(name)")
      }
      if try FileEntry.at(folder.nextExternals) != nil {
        try FileSystem.sync(folder: folder.nextExternals)
      }
      try FileSystem.sync(folder: folder.path)
    } catch let error as SystemError {
      try? StagedFile.remove(folder.nextPath)
      throw Failure(error, what: what, subject: folder.nextPath)
    }
  }

  /// Makes sure that what a step has made outlives a power cut, before the run's state says that
  /// the step is over.
  ///
  /// SQLite has synced each commit of a file of its own, and none of an overlay: "PRAGMA
  /// synchronous = OFF". A log that ends before what the state says would be taken for all of it.
  ///
  /// - Throws: ``Failure``; after a failed sync what the step has made is gone, and the next run
  ///   makes it again.
  package static func settle(_ folder: WorkFolder, step: Int, of count: Int) throws {
    let path = folder.path(ofStep: step, of: count)
    do {
      if Overlay.isOne(path) {
        let base = path + Overlay.baseSuffix
        if try FileEntry.at(base) != nil { try FileSystem.sync(base) }
        for file in [path, path + "-wal"] { try FileSystem.sync(file) }
      }
      if try FileEntry.at(folder.nextExternals) != nil {
        try FileSystem.sync(folder: folder.nextExternals)
      }
      try FileSystem.sync(folder: folder.path)
    } catch {
      try? StagedFile.remove(path)
      throw Failure(error, what: what, subject: path)
    }
  }

  private static func failure(
    _ folder: WorkFolder, _ why: String, _ category: Failure.Kind = .unusable
  ) -> Failure {
    Failure(
      category, what: what, subject: folder.nextPath, why: why,
      remedy:
        "The store is as it was. Give this up with `\(folder.command("abandon"))`, then give the "
        + "same command again.")
  }
}
