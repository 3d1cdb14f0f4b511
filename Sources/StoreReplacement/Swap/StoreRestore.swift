internal import CoreDataStore
internal import Formats
internal import OperatingSystem
internal import SQLite

/// Puts a backup in the place of a store: by the same swap as a run, with the same way back.
///
/// The backup is read through before anything of it is used. What was there is backed up first. A
/// store that is not there is made.
package struct StoreRestore {
  package let backup: StoreBackup
  /// The store's files, and those of the run.
  package let folder: WorkFolder

  private let undone: String?
  private let resumed: String?
  private let force: Bool
  private let wait: Duration
  private static let what = "cannot restore the store"

  /// A restoring; nothing is done yet.
  ///
  /// `undone` is the run that a rollback undoes: the store has to be the one that it made.
  /// `resumed` is the restore that was cut short and is to be finished, and nothing else. `force`
  /// lets the backup be another store's.
  package init(
    _ backup: StoreBackup, to folder: WorkFolder, undoing undone: String? = nil,
    resuming resumed: String? = nil, force: Bool = true, wait: Duration = .seconds(10)
  ) {
    (self.backup, self.folder) = (backup, folder)
    (self.undone, self.resumed, self.force, self.wait) = (undone, resumed, force, wait)
  }

  /// The backup whose restoring was cut short, if one was and the backup is still there, and the
  /// run that was to be undone by it.
  ///
  /// A restored store that is in its place is no obstacle to a rollback, which goes one run back.
  package static func interrupted(
    _ folder: WorkFolder
  ) throws -> (backup: StoreBackup, undone: String?)? {
    guard try StoreFiles.isThere(folder.store), let state = try RunState.look(at: folder),
      state.work == .restore, state.phase < .swapped || state.undone != nil, state.phase != .done,
      try !state.lacksEvidence(folder)
    else { return nil }
    return try StoreBackup.list(folder).last { $0.digest == state.restored }
      .map { ($0, state.undone) }
  }

  /// Does it, or what a killed process has left to do.
  ///
  /// - Parameters:
  ///   - run: The id under which the state is kept.
  ///   - tool: The version of this program.
  ///   - command: The words of the command that resumes it.
  ///   - progress: Gets each step of the swap.
  /// - Returns: Where the old store is, if there was one, and what went wrong after the exchange.
  /// - Throws: ``Failure``: the old store is in place then.
  package func run(
    _ run: String, tool: String, command: [String] = [], progress: SwapProgress = { _ in }
  ) throws -> (backup: String?, warnings: [String]) {
    guard try StoreFiles.isThere(folder.store) else {
      // What was cut short had a store to replace.
      if resumed != nil { throw Failure.missing(what: Self.what, subject: folder.store) }
      return (nil, try makeAnew())
    }
    try checkPlace()
    let lock = try RunLock(folder)
    defer { lock.unlock() }
    if try isMade() {
      // What a killed process has left; the state of another run stays.
      if try RunState.look(at: folder) == nil { try folder.removeRun() }
      return (nil, [])
    }
    try checkStore()
    let left = try begun()
    var state = try left.state ?? begin(run, tool, command)
    if state.phase < .validated {
      state.mark = try stage()
      try StagedStore.seal(folder, &state)
    }
    let result = try Swap(folder, state, choices).run(progress: progress)
    return (result.backup, left.warnings + result.warnings)
  }

  /// Whether a killed process has made the store from this backup, where none was: its path and
  /// UUID say nothing of that.
  private func isMade() throws -> Bool {
    guard !force, undone == nil, resumed == nil, try backup.strangeness(to: folder) != nil else {
      return false
    }
    return try StoreOutput.isPlaced(backup, at: folder.store, in: folder)
  }

  /// No backup goes because of a restoring: the next run's swap removes those beyond its number.
  private var choices: SwapChoices {
    var choices = SwapChoices(
      backupKeep: .count(.max), journal: backup.journal == "wal" ? .wal : .delete, wait: wait)
    choices.finishesOnly = resumed != nil
    return choices
  }

  /// What was true of the store before the lock was taken must still be.
  private func checkStore() throws {
    if !force, let why = try backup.strangeness(to: folder) {
      throw Failure(
        .busy, what: Self.what, subject: folder.store,
        why: "Another process has put another store there a moment ago. \(why)",
        remedy: "Look at the store, and give --force to replace it all the same.")
    }
    guard let undone, try StoreRestore.interrupted(folder) == nil,
      let found = try? Store(folder.store, isBrief: true).metadata.lastRun, found != undone
    else { return }
    throw Self.overtaken(folder, undone)
  }

  /// The store is not, or no longer, the one that the run made which is to be undone.
  static func overtaken(_ folder: WorkFolder, _ undone: String) -> Failure {
    Failure(
      .busy, what: "cannot roll back", subject: folder.store,
      why: "Another process has replaced what the run \(undone) made; its store stays as it is.",
      remedy: "Look at it with `\(folder.command("status"))`, and give the command again.")
  }

  /// What is in the place must be a database, damaged or not: nothing else can be locked.
  private func checkPlace() throws {
    do {
      try StoreSuitability.check(try StoreFiles(folder.store))
    } catch var error as Failure where Self.isNoDatabase(error, folder.store) {
      error.what = Self.what
      error.remedy = """
        What is there cannot be locked. Move it away, with the -wal and -journal next to it, and \
        give the same command again: the store is made again then.
        """
      throw error
    }
  }

  private static func isNoDatabase(_ error: Failure, _ path: String) -> Bool {
    if error.remedy == Failure.restore { return true }
    do {
      _ = try DatabaseFile.examine(path)
      return false
    } catch {
      return error.refusal == .empty || error.refusal == .notADatabase
    }
  }

  private func begin(_ run: String, _ tool: String, _ command: [String]) throws -> RunState {
    var state = try RunState(run: run, tool: tool, folder: folder)
    state.work = .restore
    (state.restored, state.undone) = (backup.digest, undone)
    state.command = command
    try state.write(folder)
    return state
  }

  /// The state of a restoring of this backup that was cut short; whatever else was, is given up.
  private func begun() throws -> (state: RunState?, warnings: [String]) {
    let found = try RunState.read(folder)
    if let resumed, found?.run != resumed || found?.phase == .done { throw finished() }
    guard let state = found, state.phase != .done else { return (nil, []) }
    // A store that cannot be read is what a backup is for.
    let isProved = (try? state.lacksEvidence(folder)) != true
    if isProved, isSame(state) { return (state, []) }
    if resumed != nil, isProved { throw anotherBackup() }
    let swap = Swap(folder, state, choices)
    _ = try swap.giveUp()
    if resumed != nil { throw replaced(state) }
    let remarks = isProved ? [] : ["\(state.contradiction). The restore starts over."]
    return (nil, remarks + swap.warnings)
  }

  /// Whether a state is of this restoring, so that it is resumed.
  ///
  /// Once the store is in place the application may have worked on it: a user who gives `restore`
  /// again wants the backup once more, and one who gives `resume` wants the rest done. A rollback
  /// goes back by one run, and has done so.
  private func isSame(_ state: RunState) -> Bool {
    state.work == .restore && state.restored == backup.digest && state.undone == undone
      && (undone != nil || state.phase < .swapped || state.run == resumed)
  }

  /// The store is another than the one that the restore has put in place: it stays as it is.
  private func replaced(_ state: RunState) -> Failure {
    Failure(
      .busy, what: Self.what, subject: folder.store,
      why: "\(state.contradiction). The store was not changed, and nothing is left to resume.",
      remedy: "To put the backup in its place after all, give the command itself again.")
  }

  /// What was being put back is not what the command in the record names by now.
  private func anotherBackup() -> Failure {
    Failure(
      .unusable, what: Self.what, subject: backup.path,
      why: "It is not the backup that was being put back: it was made again since.",
      remedy:
        "Give the restore up with `\(folder.command("abandon"))`, then give the command again.")
  }

  private func finished() -> Failure {
    Failure(
      .busy, what: Self.what, subject: folder.store,
      why: "Another process has finished this restore a moment ago.",
      remedy: "Look at the store with `\(folder.command("status"))`.")
  }

  /// Makes the new store of the backup; gives back the run that it is of.
  private func stage() throws -> String {
    try folder.removeStaging()
    try backup.verify(in: folder.path)
    return try replacing(Self.what, backup.path) {
      let mark = try backup.withContent(in: folder.path) { content in
        // Nothing of it counts before it is sealed: it is synced once, at the end.
        var mode = OpenMode.own(create: true)
        mode.durability = .off
        let next = try Connection(path: folder.nextPath, mode: mode)
        try content.copy(to: next, pagesPerStep: -1)
        // The copy says WAL when the backup does.
        _ = try next.setJournalMode("DELETE")
        try next.close()
        // SQLite does not say when it could not remove it, and would take it for the file's.
        try FileMoves.remove(folder.nextPath + "-wal")
        return try CommitMarker.last(in: content)
      }
      try stageBlobs()
      return mark
    }
  }

  private func stageBlobs() throws {
    let files = try StoreFiles(backup.mainPath)
    let names = try ExternalFolder.names(in: files.externalDataFolder)
    if names.isEmpty { return }
    try FileSystem.makeFolder(folder.nextExternals)
    for name in names {
      try FileSystem.clone(
        "\(files.externalDataFolder)/\(name)", to: "\(folder.nextExternals)/\(name)")
    }
  }

  /// Makes a store where none is; gives back what went wrong once it was there.
  private func makeAnew() throws -> [String] {
    let lock = try RunLock(folder)
    defer { lock.unlock() }
    let mark = try stage()
    if backup.journal == "wal" {
      try replacing(Self.what, folder.nextPath) {
        let next = try Connection(path: folder.nextPath, mode: .own(create: false))
        _ = try next.setJournalMode("WAL")
        try next.close()
      }
    }
    guard try StagedStore.check(folder, mark: mark) == backup.image else {
      throw Failure(
        .refused, what: Self.what, subject: folder.nextPath,
        why: "What was written is not what is in the backup: the disk may be failing.",
        remedy: "Check the disk, and give the same command again.")
    }
    let warnings = try StoreOutput.place(
      folder, at: folder.store, besides: StoreFiles(backup.mainPath))
    try folder.removeRun()
    return warnings
  }
}
