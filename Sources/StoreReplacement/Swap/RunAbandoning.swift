internal import CoreDataStore
internal import OperatingSystem

/// Giving up a run: its own files go, backups and rejected objects stay.
package enum RunAbandoning {
  package enum Outcome: Sendable, Hashable {
    /// There was none.
    case none
    /// It was over already, and only left files.
    case over
    /// It is given up, and the store is the old one.
    case abandoned
    /// The new store was in place already, so that it was finished.
    case finished
  }

  /// Removes the run's folder.
  ///
  /// A state that cannot be read is given up, too: the store is whole whatever it says, since the
  /// exchange is one transaction of SQLite.
  ///
  /// - Returns: The run's id, as far as it is known, what happened to it, and what needs a person's
  ///   eye.
  /// - Throws: ``Failure`` of kind `busy` when a process is at it.
  package static func abandon(
    _ folder: WorkFolder, wait: Duration = .seconds(10)
  ) throws -> (run: String?, outcome: Outcome, warnings: [String]) {
    let entry = try replacing("cannot abandon the run", folder.path) {
      try FileEntry.at(folder.path)
    }
    guard entry != nil else { return (nil, .none, []) }
    let lock = try RunLock(folder)
    defer { lock.unlock() }
    let state = try? RunState.read(folder)
    var (outcome, warnings) = (Outcome.abandoned, [String]())
    if let state, try StoreFiles.isThere(folder.store) {
      // A store that cannot be read shows nothing: whether it can be given up is found below.
      if (try? state.lacksEvidence(folder)) == true { warnings.append(state.contradiction) }
      let choices = SwapChoices(backupKeep: .count(.max), wait: wait)
      let swap = Swap(folder, state, choices)
      if try swap.giveUp() { outcome = .finished }
      warnings += swap.warnings
      if state.phase == .done { outcome = .over }
    }
    try folder.removeRun()
    return (state?.run, outcome, warnings)
  }
}
