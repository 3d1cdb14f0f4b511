internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

/// Puts the new store in the place of the old one, and never loses either.
///
/// Until the exchange is committed the store is the old one, after it the new one; whatever ends
/// the process, the same call resumes from the run's state and from the store's own content. The
/// steps, in the order of `run`:
///
/// 1. `open`: lock the store against all others, and compare its content with what was copied.
/// 2. `backup`: copy main file, -wal and large values, or give the run's copy a second name where
///    it has the store's pages; what was not compared under the lock is read and opened again.
/// 3. `blobs`: add the files that only the new store has; the old store does not look at them.
/// 4. `replace`: write the new content into the file, in one transaction of SQLite.
/// 5. `check`: content, and by that soundness, and the run's mark; if anything is amiss the old
///    content is put back.
/// 6. `journal`: the journal mode that the store is to have.
/// 7. `drop`: remove the files that only the old store had.
/// 8. `clean`: remove the backups beyond those that stay, and the run's own files.
///
/// What fails after the exchange is a warning: the new store is in place.
package final class Swap {
  /// The run's state, as it was written last.
  package private(set) var state: RunState

  let folder: WorkFolder
  let choices: SwapChoices
  /// What needs a person's eye, a sentence each.
  package private(set) var warnings: [String] = []
  /// Whether the new store could not be locked, so that something is left to do.
  private var isUsed = false
  /// Whether an earlier run has tried before to remove what is not needed any more.
  var isSecondTry = false
  /// Whether something that is to go could not be removed.
  private var isUnfinished = false

  /// The staged store, when it was checked just now.
  private var staged: StagedContent?
  /// Whether the content that was copied is known to be sound.
  private let isSourceSound: Bool
  /// Whether the copy was compared with the store under the lock, and is what it was when the
  /// staged store was checked on top of it.
  private var isCopyProved = false

  /// A swap of a validated run, or one that resumes a swap that was cut short.
  ///
  /// The `staged` store is given where it was checked a moment ago. With `isSourceSound` this
  /// process has found the content sound that the run has copied.
  package init(
    _ folder: WorkFolder, _ state: RunState, _ choices: SwapChoices = SwapChoices(),
    staged: StagedContent? = nil, isSourceSound: Bool = false
  ) {
    self.folder = folder
    self.state = state
    self.choices = choices
    self.staged = staged
    self.isSourceSound = isSourceSound
  }

  /// Does what is left to do.
  ///
  /// The caller has the run's lock.
  ///
  /// - Throws: ``Failure``: the old store is in place then, or `why` says otherwise.
  package func run(progress: SwapProgress = { _ in }) throws -> SwapResult {
    warnings = []
    isSecondTry = state.phase == .swapped
    defer { try? staged?.close() }
    try replacing(Self.what, folder.store) {
      guard state.phase >= .validated else { throw notReady() }
      if state.phase < .done { try exchange(progress) }
      if isUsed { return }
      try? progress(.clean)
      clean()
    }
    return SwapResult(backup: state.backup?.path, warnings: warnings, state: state)
  }

  private static let what = "cannot replace the store"

  private func exchange(_ progress: SwapProgress) throws {
    // The new store may be in its place by now: nothing stops its run any more.
    if state.phase < .swapping { try progress(.open) } else { try? progress(.open) }
    guard var store = try lock() else { return }
    do {
      if try isOld(store) { try replaceContent(of: &store, progress) }
    } catch {
      try? store.close()
      throw error
    }
    if !isUsed { settle(store, progress) }
  }

  /// The locked store; nil when the application has the new one already.
  func lock() throws -> LockedStore? {
    do {
      return try lockStore()
    } catch let error as Failure where error.kind == .busy && isExchanged() {
      stayUsed("is in use")
      return nil
    }
  }

  private func lockStore() throws -> LockedStore {
    let pageSize = choices.method == .replace ? state.next?.pageSize : nil
    // The state's image is that of the copy, unless rows of it have got numbers.
    let isCopied = isSourceSound && state.work == .run && state.numbered == nil
    // Until the exchange is done the store may be what was copied.
    return try LockedStore(
      folder, wait: choices.wait, comparing: state.phase < .swapped ? folder.sourcePath : nil,
      withImage: isCopied ? state.source?.image : nil,
      keepingWAL: journal == "wal" ? pageSize : nil)
  }

  /// Whether the exchange is made, as far as that shows without the lock.
  private func isExchanged() -> Bool {
    state.phase == .swapped || state.phase == .swapping && isNew()
  }

  /// Leaves what is to be done under the lock to the next run.
  private func stayUsed(_ why: String) {
    isUsed = true
    warnings.append(
      """
      The new store is in its place and \(why). Large values that only the old one had, and the \
      run's own files, stay until `\(folder.command("resume"))` removes them.
      """)
  }

  /// Whether the exchange has still to be made.
  private func isOld(_ store: LockedStore) throws -> Bool {
    switch try standing(store) {
    case .new: return false
    case .old: return true
    case .changed:
      // A backup is put back over whatever is there, unless one run alone is to be undone.
      guard state.work == .restore, state.phase < .swapped else {
        throw SourceSnapshot.changed(folder, state.work)
      }
      if choices.finishesOnly, state.phase == .swapping, try mayBeNew(store) { throw unclear() }
      try takeOver(store)
      return true
    }
  }

  /// What a store is to a swap that was begun.
  enum Standing {
    /// The store that was copied.
    case old
    /// The new one, perhaps used by the application already.
    case new
    /// Neither: another process has written to the old one since.
    case changed
  }

  /// The store's content shows it, and the mark in its metadata; what the state says does not.
  func standing(_ store: LockedStore) throws -> Standing {
    let mark = try CommitMarker.last(in: store.connection)
    if state.phase == .swapped {
      return state.isProved(by: mark, store.content) ? .new : .changed
    }
    if store.content == state.source?.image { return .old }
    guard state.phase == .swapping else { return .changed }
    if store.content == state.next { return .new }
    return mark == state.mark && state.mark != state.oldMark ? .new : .changed
  }

  /// Takes the store as it is for the old one.
  private func takeOver(_ store: LockedStore) throws {
    let mark = try CommitMarker.last(in: store.connection)
    if let undone = state.undone, mark != undone {
      // Nothing is left to resume: the next command starts from the store as it is.
      try withdraw(from: store)
      try enter(.done)
      throw StoreRestore.overtaken(folder, undone)
    }
    try withdraw(from: store)
    (state.blobsToAdd, state.blobsToDrop) = ([], [])
    state.source = SourceRecord(
      image: store.content, stamp: try Stamp(of: store.connection), journal: store.journal)
    state.oldMark = mark
    state.backup = nil
    try enter(.validated)
  }

  func enter(_ phase: RunState.Phase) throws {
    state.phase = phase
    try state.write(folder)
  }

  /// Whether the exchange may have been made, and the store been used since.
  private func mayBeNew(_ store: LockedStore) throws -> Bool {
    try state.mark == state.oldMark || CommitMarker.last(in: store.connection) != state.oldMark
  }

  /// Nothing shows whether the store is the backup that was put in place, in use since, or what was
  /// there before.
  private func unclear() -> Failure {
    Failure(
      .busy, what: "cannot finish the restore", subject: folder.store,
      why: "It was cut short in the middle of the exchange, and another process has written to the "
        + "store since: it may be the backup with newer changes, or what was there before.",
      remedy: "Look at it. If it is right, `\(folder.command("abandon"))` leaves it as it is; to "
        + "put the backup back once more, give the command itself again: what is there is backed "
        + "up first.")
  }

  private func notReady() -> Failure {
    Failure(
      .unusable, what: Self.what, subject: folder.store,
      why: "The new store is not finished: the run is in phase \(state.phase.rawValue).",
      remedy: "Resume the run first.")
  }
}

// Before the commit: an error leaves the old store.
extension Swap {
  private func replaceContent(of store: inout LockedStore, _ progress: SwapProgress) throws {
    if store.copy == nil, state.numbered == nil { try staged?.checkBase(folder) }
    isCopyProved = store.copy != nil
    let staged = try staged ?? StagedContent(folder, state)
    defer { try? staged.close() }
    let blobs = SwapBlobs(folder, try StoreFiles(folder.store), for: state.work)
    try checkSpace(store, blobs)
    try progress(.backup)
    let isBackupNew = try backUp(store)
    try progress(.blobs)
    if state.phase < .swapping {
      state.blobsToAdd = try blobs.toAdd(staged)
      state.blobsToDrop = try blobs.toDrop(store, staged)
    }
    if state.phase < .swapping || isBackupNew {
      try makeDurable()
      try enter(.swapping)
    }
    try blobs.add(state.blobsToAdd, like: store)
    try progress(.replace)
    try exchange(&store, for: staged)
    if isUsed { return }
    try? progress(.check)
    try check(store)
  }

  private func checkSpace(_ store: LockedStore, _ blobs: SwapBlobs) throws {
    guard let next = state.next else { return }
    func length(_ image: PageImage) -> Int64 { Int64(image.pageSize) * Int64(image.pageCount) }
    let backsUp = choices.backupKeep != .none && state.backup == nil
    let needed = SpaceNeeded(
      swapOf: length(store.content), by: length(next), oldBlobs: backsUp ? try blobs.oldBytes() : 0,
      newBlobs: try blobs.newBytes(),
      oldCopy: backsUp && store.copy == nil ? length(store.content) : 0,
      oldLink: backsUp && store.copy != nil ? length(store.content) : 0)
    try needed.check(folder)
  }

  /// Makes the backup, or finds the one that a killed process has finished.
  ///
  /// The state is not written for it: a power cut, or a kill, leaves a backup that shows by itself
  /// whether it is whole, and a state from which the new store is checked again.
  ///
  /// - Returns: Whether the state on the disk does not name the backup yet.
  private func backUp(_ store: LockedStore) throws -> Bool {
    if choices.backupKeep == .none || isBackedUp(store.content) { return false }
    try StoreBackup.removeUnfinished(folder, run: state.run)
    let finished = try finishedBackup(store.content)
    // The process that made it may have been killed between a name and the sync of its folder.
    if let finished {
      try FileSystem.sync(folder: finished.path)
      try FileSystem.sync(folderOf: finished.path)
    }
    let backup = try finished ?? makeBackup(of: store)
    state.backup = RunState.BackupRecord(path: backup.path, manifest: backup.digest)
    return true
  }

  /// Makes sure that whatever the exchange is made from, or would be undone with, outlives a power
  /// cut: from the phase `swapping` on it is believed to be there.
  ///
  /// The new store was synced when it was checked, the backup's files when it was made. What is
  /// left are the names of the folders that they are in, which the run has not synced when it made
  /// them: without them a run that did not come as far starts over.
  private func makeDurable() throws {
    if let path = state.backup?.path {
      if try BackupProvenance.keep(folder, run: state.run, in: path) {
        try FileSystem.sync(folder: path)
      }
    } else {
      try BackupProvenance.sync(folder)
    }
    let backup = try state.backup.map { try StoreBackup.read($0.path) }
    try StagedStore.syncBase(folder, unlessIn: backup?.mainPath)
    try FileSystem.sync(folder: folder.work)
    if !isSyncedByExchange { try FileSystem.sync(folderOf: folder.work) }
  }

  /// Whether the exchange syncs the folder that the work folder is in, before it writes anything.
  ///
  /// It is the store's own then, and is synced when the store's -journal is in it, by
  /// `PageExchange.writeJournal` or by SQLite. A power cut before that may take the work folder's
  /// name with all that is in it: nothing has changed then, and the run was never there. Not so
  /// where large values come to lie next to the store before, of which the state alone knows.
  private var isSyncedByExchange: Bool {
    choices.method == .replace && state.blobsToAdd.isEmpty
      && Text(FileSystem.folder(of: folder.work)) == Text(FileSystem.folder(of: folder.store))
  }

  private func makeBackup(of store: LockedStore) throws -> StoreBackup {
    let backup: StoreBackup
    do {
      backup = try StoreBackup.make(of: store, folder, run: state.run)
    } catch {
      // After a failed sync the state of a file is unknown, and the copy is the backup's: the next
      // run makes it again.
      if store.copy != nil { try? FileMoves.remove(folder.sourcePath) }
      throw error
    }
    // A second name of the copy: under the lock that was compared with the store, page by page, and
    // this content was found sound before.
    let isKnown = try isSourceSound && store.digest(ofClone: backup.mainPath) != nil
    if !isKnown { try backup.verifyContent(isSound: isSound) }
    return backup
  }

  /// Whether the old store is known to be sound: a damaged one may be what is to be replaced.
  private var isSound: Bool { state.work != .restore }

  /// The backup that a killed process had finished, though not yet noted in the state.
  private func finishedBackup(_ image: PageImage) throws -> StoreBackup? {
    try StoreBackup.list(folder).last { backup in
      backup.run == state.run && backup.image == image
        && (try? backup.verify(isSound: isSound)) != nil
    }
  }

  /// Whether the backup of the run before it was killed is there, whole.
  private func isBackedUp(_ image: PageImage) -> Bool {
    guard let record = state.backup, let backup = try? StoreBackup.read(record.path),
      backup.digest == record.manifest, backup.image == image
    else { return false }
    return (try? backup.verify(isSound: isSound)) != nil
  }

  /// The one statement that changes the store; when it fails, the store shows whether it did.
  private func exchange(_ store: inout LockedStore, for staged: StagedContent) throws {
    do {
      switch choices.method {
      case .replace: return try store.exchange(for: staged.connection)
      case .rename: try store.rename { try staged.write(to: $0) }
      }
      try lockAgain(&store, after: nil)
    } catch {
      try lockAgain(&store, after: error)
    }
  }

  /// Opens the store as the next process would: what a connection says after an error, or of a
  /// file that has lost its name, counts for nothing.
  private func lockAgain(_ store: inout LockedStore, after failure: (any Error)?) throws {
    try? store.close()
    do {
      store = try lockStore()
    } catch {
      guard isNew() else { throw failure ?? error }
      stayUsed("could not be locked again: \(error)")
      state.phase = .swapped
      note()
      return
    }
    guard let failure else { return }
    let standing = try standing(store)
    // The exchange has left WAL mode before it failed. What it threw says more than what may go
    // wrong here.
    if standing == .old, let journal = state.source?.journal { try? store.setJournal(journal) }
    guard standing == .new else { throw failure }
    warnings.append("The exchange is done, though an error came with it: \(failure)")
    isUnfinished = true
  }

  /// Whether the store that an application would open now has the run's mark.
  private func isNew() -> Bool {
    guard state.mark != state.oldMark,
      let connection = try? Connection(path: folder.store, mode: .foreign)
    else { return false }
    defer { try? connection.close() }
    return (try? CommitMarker.last(in: connection)) == state.mark
  }

  /// Compares the result with what it was to be, twice before it is given up.
  private func check(_ store: LockedStore) throws {
    let isNew = (try? self.isNew(store)) ?? (try? self.isNew(store)) ?? false
    if !isNew { try putBack(store) }
  }

  /// Whether a store is the new one.
  ///
  /// Its pages are as sound as those of the staged store, which they are: that was found sound just
  /// now, and what it is on top of was still what was copied, after that.
  private func isNew(_ store: LockedStore) throws -> Bool {
    let isSound = staged != nil && isCopyProved
    return try store.connection.pageImage() == state.next
      && (isSound || store.connection.problems().isEmpty)
      && CommitMarker.last(in: store.connection) == state.mark
  }

  /// Writes the old content back, from the backup or the copy that the run read.
  private func putBack(_ store: LockedStore) throws {
    let why = "What was written is not what was to be written: the disk may be failing."
    do {
      if let backup = try state.backup.map({ try StoreBackup.read($0.path) }) {
        try backup.withContent(in: folder.path) { try store.exchange(for: $0) }
      } else {
        let source = try Connection(path: folder.sourcePath, mode: .foreign)
        defer { try? source.close() }
        // Rows of no entity have got their table's number in the copy.
        if let numbered = state.numbered { state.source?.image = numbered }
        guard try source.pageImage() == state.source?.image else {
          throw SQLiteError(11, "the copy is not what was copied", path: folder.sourcePath)
        }
        try store.exchange(for: source)
      }
      guard try store.connection.pageImage() == state.source?.image else {
        throw SQLiteError(1, "the old content could not be written back", path: folder.store)
      }
      try store.setJournal(state.source?.journal ?? store.journal)
      try enter(.backedUp)
    } catch {
      throw Failure(
        .refused, what: Self.what, subject: folder.store,
        why: "\(why) Putting the old store back failed, too: \(error)",
        remedy: "Restore it on another disk from \(state.backup?.path ?? folder.sourcePath).")
    }
    throw Failure(
      .refused, what: Self.what, subject: folder.store, why: "\(why) The old store is back.",
      remedy: "Check the disk, and give the same command again.")
  }
}

// After the commit: an error is a warning.
extension Swap {
  func settle(_ store: LockedStore, _ progress: SwapProgress) {
    if state.phase < .swapped {
      try? progress(.journal)
      attempt("The journal mode could not be put back") { try store.setJournal(journal) }
      state.phase = .swapped
      // Where the mark distinguishes the stores, a kill or a power cut leaves the phase `swapping`
      // and a store that shows that it is the new one, whatever is written to it: `standing`. A
      // restore that is given again from here on is another one: `StoreRestore.isSame`.
      if state.mark == state.oldMark || state.work == .restore { note() }
    }
    try? progress(.drop)
    attempt("Large values of the old store could not be removed") {
      let blobs = SwapBlobs(folder, try StoreFiles(folder.store), for: state.work)
      let drop = try blobs.drop(state.blobsToDrop, from: store)
      warnings += drop.failures + (drop.shared.map { [$0] } ?? [])
      if !drop.failures.isEmpty { isUnfinished = true }
    }
    attempt("A journal that is finished could not be removed") { try store.removeLeftovers() }
    attempt("The store could not be closed") { try store.close() }
  }

  /// The journal mode that the store is to have.
  private var journal: String { choices.journal(like: state.source) }

  func clean() {
    attempt("Old backups could not be removed") {
      try StoreBackup.prune(
        folder, keep: choices.backupKeep, kept: Set([state.backup?.path].compactMap(\.self)),
        awaited: choices.awaited)
    }
    attempt("The run's files could not be removed") { try folder.removeStaging() }
    // Last of all: what a killed process left goes with the next command. What cannot be removed
    // is tried once more, and does not keep the next migration waiting after that.
    if !isUnfinished || isSecondTry { state.phase = .done }
    // The folder is not synced: a power cut leaves this state or the one before, from which the
    // next command finds the new store in its place, and does this again.
    note(syncingFolder: false)
  }

  private func note(syncingFolder: Bool = true) {
    attempt("The run's state could not be written") {
      try state.write(folder, syncingFolder: syncingFolder)
    }
  }

  private func attempt(_ what: String, _ body: () throws -> Void) {
    do {
      try replacing(what, folder.store, body)
    } catch {
      warnings.append("\(what): \((error as? Failure)?.why ?? "\(error)")")
      isUnfinished = true
    }
  }
}
