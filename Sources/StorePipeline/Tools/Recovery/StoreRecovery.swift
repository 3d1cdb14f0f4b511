internal import CoreDataStore
internal import Formats
internal import Foundation
internal import StoreReplacement

/// Backups of a store, the ways back, and what runs left next to it.
public struct StoreRecovery: Sendable {
  /// The store's files, and those of its runs.
  let folder: WorkFolder
  /// The restore or rollback that was cut short and is to be finished; nil for one that begins.
  package var resumed: String?
  /// How long to wait for another process that has the store.
  private let wait: Duration

  /// The recovery of one store, which need not be there.
  ///
  /// - Parameters:
  ///   - store: The store's path.
  ///   - work: The folder for state, backups and rejects; nil for the one next to the store.
  ///   - wait: How long to wait for another process that has the store.
  /// - Throws: `Failure` when there is no folder that the store could be in.
  public init(store: String, work: String? = nil, wait: Duration = .seconds(10)) throws {
    folder = try WorkFolder.of(store, work: work)
    self.wait = wait
  }

  /// The store's path, links resolved.
  public var store: String { folder.store }

  /// A command about the store, as a message suggests it.
  package func command(_ name: String) -> String { folder.command(name) }

  /// A command of several words about the store, to paste.
  package func command(_ words: [String]) -> String { folder.command(words) }

  /// Copies stores, which others may be using, to a folder that is not there yet.
  ///
  /// Each copy has the rows of the -wal and the large values next to the store, and was opened and
  /// checked. Stores that are copied together are held still together.
  ///
  /// - Parameters:
  ///   - stores: The stores' paths.
  ///   - place: The folder to make.
  ///   - wait: How long to wait for a process that writes.
  /// - Returns: The backups, in the order of the stores.
  /// - Throws: `Failure`, or `CancellationError` when the task was cancelled; nothing is at the
  ///   place then.
  public static func backUp(
    _ stores: [String], to place: String, wait: Duration = .seconds(10)
  ) throws -> [BackupFacts] {
    let files = try stores.map { try StoreFiles($0) }
    for file in files { try StoreSuitability.check(file, replaced: false) }
    let set = try BackupSet.make(of: files, at: place, run: RunID().text, wait: wait) {
      try Task.checkCancellation()
    }
    return set.parts.map { BackupFacts($0, isVerified: true) }
  }

  /// Whether a path is the folder of a backup, of one store or of several, by the list in it.
  package static func isBackup(_ path: String) -> Bool { BackupSet.isThere(path) }

  /// Puts a backup in the place of the store, in one transaction; what was there is backed up.
  ///
  /// - Parameters:
  ///   - backup: The backup's folder.
  ///   - force: Whether the backup may be another store's, by its path or its UUID. A store that is
  ///     not there may be made from any.
  ///   - command: The words of the command that would resume it.
  /// - Returns: What was done.
  /// - Throws: `Failure`, when it is another store's backup or the store is a
  ///   backup's own file, or `CancellationError` when the task was cancelled in time; the store is
  ///   as it was then.
  public func restore(
    _ backup: String, force: Bool = false, command: [String] = []
  ) throws -> RestoreSummary {
    try restore(part(of: backup, force: force), force: force, command)
  }

  /// Refuses to put backups in the place of stores where that cannot be done, before the first is.
  ///
  /// - Throws: As ``restore(_:force:command:)``, for the first that is refused.
  package static func check(
    _ recoveries: [StoreRecovery], _ backup: String, force: Bool
  ) throws {
    var used: [String: String] = [:]
    for recovery in recoveries {
      let part = try recovery.part(of: backup, force: force)
      try part.verifyFiles()
      guard let other = used.updateValue(recovery.store, forKey: part.path) else { continue }
      throw Failure(
        .misuse, what: "cannot restore the store", subject: recovery.store,
        why: "Its backup would be \(part.path), which is meant for \(other) already.",
        remedy: "Restore one store at a time, each from a folder of its own.")
    }
  }

  /// Refuses a path where neither a store nor a work folder is: nothing can be said about it.
  func checkPresence() throws {
    guard !FileManager.default.fileExists(atPath: folder.work), !StoreFiles.isStore(folder.store)
    else { return }
    _ = try Store(folder.store)
  }

  private func part(of backup: String, force: Bool) throws -> StoreBackup {
    try ProtectedFiles.refuseBackup(store: folder.store, work: folder.work)
    let part = try BackupSet.read(backup).part(for: folder.store)
    guard !force, let why = try part.strangeness(to: folder),
      try !StoreOutput.isPlaced(part, at: folder.store, in: folder)
    else { return part }
    throw Failure(
      .misuse, what: "cannot restore the store", subject: folder.store, why: why,
      remedy: "Give --force to replace the store all the same, or name one that is not there yet.")
  }

  /// Puts back the store as it was before the run that made it what it is.
  ///
  /// The last record of `PipelineLog` in the store's metadata names that run. After a rollback the
  /// store is of the run before it, so that a second one goes one run further back.
  ///
  /// - Parameter command: The words of the command that would resume it.
  /// - Returns: What was done.
  /// - Throws: `Failure`, or `CancellationError` when the task was cancelled in time; the store
  ///   is as it was then.
  public func rollback(command: [String] = []) throws -> RestoreSummary {
    try ProtectedFiles.refuseBackup(store: folder.store, work: folder.work)
    if let left = try StoreRestore.interrupted(folder) {
      return try restore(left.backup, undoing: left.undone, command)
    }
    let run = try Store(folder.store).metadata.lastRun
    guard let run else {
      throw refusal("No run of a pipeline has made the store what it is.")
    }
    guard let backup = try StoreBackup.list(folder).last(where: { $0.run == run }) else {
      throw refusal(
        "There is no backup of what was there before the run \(run).\(folder.otherPlace)")
    }
    return try restore(backup, undoing: run, command)
  }

  private func restore(
    _ backup: StoreBackup, undoing run: String? = nil, force: Bool = true, _ command: [String]
  ) throws -> RestoreSummary {
    let restore = StoreRestore(
      backup, to: folder, undoing: run, resuming: resumed, force: force, wait: wait)
    let isThere = try StoreFiles.isThere(folder.store)
    let result = try restore.run(RunID().text, tool: LibraryVersions.own, command: command) { _ in
      try Task.checkCancellation()
    }
    return RestoreSummary(
      store: folder.store, backup: BackupFacts(backup, isVerified: true),
      replaced: result.backup, warnings: backup.missing.map(\.warning) + result.warnings,
      isUnchanged: isThere && result.backup == nil)
  }

  private func refusal(_ why: String) -> Failure {
    Failure(
      .unusable, what: "cannot roll back", subject: folder.store, why: why,
      remedy: "See which backups there are with `\(folder.command("status"))`; any can be restored."
    )
  }

  /// Removes the copies of stores that killed commands of this user left in the folder for files
  /// that do not last.
  public static func removeLeftCopies() { OwnedFolder.removeLeft() }

  /// Gives up a run that was cut short: its own files go, backups and rejected objects stay.
  ///
  /// - Throws: `Failure`.
  public func abandon() throws -> AbandonSummary {
    try checkPresence()
    let (run, outcome, warnings) = try RunAbandoning.abandon(folder, wait: wait)
    return AbandonSummary(
      store: folder.store, run: run, outcome: .init(outcome), warnings: warnings)
  }

  /// Removes backups beyond those that stay, and what finished runs left.
  ///
  /// A backup that rejected objects wait for stays in any case, and so does one of another store
  /// that was at the same path.
  ///
  /// - Parameters:
  ///   - keep: The backups that stay.
  ///   - givesUpRejects: Whether the objects that wait are given up: their backups may go then.
  /// - Returns: The backups that went, and those that stay for a reason.
  /// - Throws: `Failure`.
  public func clean(keep: BackupKeep, givesUpRejects: Bool = false) throws -> CleanSummary {
    try checkPresence()
    var summary = CleanSummary(store: folder.store)
    let result = try StoreBackup.clean(folder, keep: keep.choice) {
      if givesUpRejects { summary.givenUp = try folder.giveUpRejects() }
      return try folder.awaitedRuns()
    }
    summary.removed = result.removed.map { BackupFacts($0, isVerified: nil) }
    let awaited = result.awaited.isEmpty ? [:] : try folder.awaitedRuns()
    summary.left = result.awaited.map { backup in
      .init(
        backup: BackupFacts(backup, isVerified: nil),
        why: folder.reason(toLeave: backup, awaited))
    }
    summary.left += result.foreign.map { backup in
      let words = SuggestedCommand.text(["restore", backup.path, "PLACE"])
      return .init(
        backup: BackupFacts(backup, isVerified: nil),
        why: "it is of another store that was at this path: `\(words)` puts it elsewhere; remove "
          + "its folder if you do not need it")
    }
    return summary
  }
}

extension Metadata {
  /// The runs that the store has been through, by its own log.
  var runs: [String] { log.compactMap { $0.dictionary?["run"]?.string } }
}
