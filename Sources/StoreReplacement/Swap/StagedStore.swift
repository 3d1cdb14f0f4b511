package import CoreDataStore
internal import OperatingSystem
package import SQLite

/// The new store that a run has made, before it takes the old one's place.
package enum StagedStore {
  private static let what = "cannot use the new store"

  /// Checks it, makes sure that it outlives a power cut, and writes the phase `validated`.
  ///
  /// With `full` SQLite compares indexes and tables too, which takes as long as copying twice. One
  /// that `isSettled` was synced when its step was over, with the names of its large values, and
  /// has not been written to since. `known` is what a walk over the run's copy of the store has
  /// shown: the pages that an overlay has from there are as sound as they were.
  ///
  /// - Throws: ``Failure``; after a failed sync the staged file is gone, because "the state of
  ///   the file is unknown" then: the next run makes it again.
  package static func seal(
    _ folder: WorkFolder, _ state: inout RunState, isSettled: Bool = false, full: Bool = false,
    known: PageWalk? = nil, progress: PageProgress = { _, _ in true }
  ) throws {
    try check(
      folder, &state, isSettled: isSettled, full: full, known: known, progress: progress
    ).close()
    // The phase says that the new store is whole, and what it is on top of is a part of it.
    try syncBase(folder, unlessIn: nil)
    try state.write(folder)
  }

  /// The same for a swap that follows at once, and writes a phase of its own.
  ///
  /// Where the new store is among those that are `opened`, and an overlay, it is read through that
  /// connection: each stage that writes to the store closes it before. None of them is open after
  /// this.
  ///
  /// - Returns: The store, which the swap reads.
  package static func check(
    _ folder: WorkFolder, _ state: inout RunState, isSettled: Bool = false, full: Bool = false,
    known: PageWalk? = nil, opened: OpenedStores? = nil,
    progress: PageProgress = { _, _ in true }
  ) throws -> StagedContent {
    let (connection, image) = try checked(
      folder, mark: state.mark, full: full, known, opened, progress: progress)
    try makeDurable(folder, isSettled)
    (state.next, state.phase) = (image, .validated)
    return StagedContent(connection, folder, state)
  }

  /// The same for a store that no state is kept of; gives back its content's image.
  static func check(_ folder: WorkFolder, mark: String) throws -> PageImage {
    let (connection, image) = try checked(
      folder, mark: mark, full: false, nil, nil, progress: { _, _ in true })
    try connection.close()
    try makeDurable(folder, false)
    return image
  }

  /// The store with its content's image, when nothing is wrong with it.
  private static func checked(
    _ folder: WorkFolder, mark: String, full: Bool, _ known: PageWalk?, _ opened: OpenedStores?,
    progress: PageProgress
  ) throws -> (Connection, PageImage) {
    try replacing(what, folder.nextPath) {
      let isOverlay = Overlay.isOne(folder.nextPath)
      let reader = isOverlay ? opened?.take(folder.nextPath) : nil
      opened?.close()
      if !isOverlay { try settleJournal(of: folder.nextPath) }
      for suffix in isOverlay ? ["-journal"] : ["-wal", "-journal"]
      where try FileEntry.at(folder.nextPath + suffix) != nil {
        // The run closes it before: what is still there could not be removed.
        throw failure(folder, "It was not closed: its \(suffix) is still there.", .refused)
      }
      // Where a check fails it closes as it goes.
      let connection = try reader ?? Connection(path: folder.nextPath, mode: .foreign)
      guard try CommitMarker.last(in: connection) == mark else {
        throw failure(folder, "Its metadata does not name the run that made it.")
      }
      let problems = try connection.problems(
        full ? .full : .quick, since: known, over: folder.sourcePath)
      guard problems.isEmpty else { throw failure(folder, "It is damaged: \(problems[0]).") }
      return (connection, try connection.pageImage(progress: progress))
    }
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

  /// Makes sure that what a run has staged outlives a power cut.
  ///
  /// The base of an overlay is the run's copy of the store, which `syncBase` leaves to the swap:
  /// until then a run that is resumed compares all of it with what the state says of it, and makes
  /// it again.
  private static func makeDurable(_ folder: WorkFolder, _ isSettled: Bool) throws {
    do {
      if !isSettled { try sync(store: folder.nextPath) }
      for name in try ExternalFolder.names(in: folder.nextExternals) {
        try FileSystem.sync("\(folder.nextExternals)/\(name)")
      }
      if !isSettled { try syncFolders(folder) }
    } catch let error as SystemError {
      try? StagedFile.remove(folder.nextPath)
      throw Failure(error, what: what, subject: folder.nextPath)
    }
  }

  /// Makes sure that what a step has made outlives a power cut, before the run's state says that
  /// the step is over, and before what it was made from goes.
  ///
  /// A log that ends before what the state says would be taken for all of it.
  ///
  /// - Throws: ``Failure``; after a failed sync what the step has made is gone, and the next run
  ///   makes it again.
  package static func settle(_ folder: WorkFolder, step: Int, of count: Int) throws {
    let path = folder.path(ofStep: step, of: count)
    do {
      try sync(store: path)
      try syncFolders(folder)
    } catch {
      try? StagedFile.remove(path)
      throw Failure(error, what: what, subject: path)
    }
  }

  /// Syncs a store that a step has made.
  ///
  /// SQLite has synced each commit of a file of its own, and none of an overlay: "PRAGMA
  /// synchronous = OFF".
  private static func sync(store path: String) throws(SystemError) {
    guard Overlay.isOne(path) else { return try FileSystem.sync(path) }
    let base = path + Overlay.baseSuffix
    if try FileEntry.at(base) != nil { try FileSystem.sync(base) }
    for file in [path, path + "-wal"] { try FileSystem.sync(file) }
  }

  private static func syncFolders(_ folder: WorkFolder) throws(SystemError) {
    if try FileEntry.at(folder.nextExternals) != nil {
      try FileSystem.sync(folder: folder.nextExternals)
    }
    try FileSystem.sync(folder: folder.path)
  }

  /// Makes sure that the run's copy of the store, which is the base of an overlay, outlives a power
  /// cut.
  ///
  /// A backup that is the same file was synced as such.
  static func syncBase(_ folder: WorkFolder, unlessIn backup: String?) throws {
    guard Overlay.isOne(folder.nextPath) else { return }
    try replacing(what, folder.sourcePath) {
      guard let base = try FileEntry.at(folder.sourcePath)?.identity else { return }
      guard try backup.flatMap({ try FileEntry.at($0) })?.identity != base else { return }
      do {
        try FileSystem.sync(folder.sourcePath)
      } catch {
        // "After a failed fsync the state of the file is unknown": the next run copies it again.
        try? FileMoves.remove(folder.sourcePath)
        throw error
      }
    }
  }

  /// Writes the store that was made last as a file of its own, for those who look at it where it
  /// is; one that is no overlay stays.
  ///
  /// It counts from the moment at which all of it has its first name. A process that is killed
  /// after that has still to give it the second: see ``StagedFile/settle(_:)``.
  package static func flatten(_ folder: WorkFolder, steps count: Int) throws {
    for step in (0..<count).reversed() {
      let path = folder.path(ofStep: step, of: count)
      guard try replacing(what, path, { try FileEntry.at(path) }) != nil else { continue }
      guard Overlay.isOne(path) else { return }
      try replacing(what, path) {
        try FileMoves.makeWhole(path + StagedFile.flatSuffix, replaces: true) { part in
          try PageFile.copy(path, to: part)
        }
        try FileSystem.sync(folderOf: path)
      }
      return try StagedFile.settle(path)
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
