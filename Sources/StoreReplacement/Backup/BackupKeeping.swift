internal import CoreDataStore
package import Foundation
internal import OperatingSystem

package enum BackupsKept: Sendable, Hashable {
  /// The newest so many.
  case count(Int)
  /// Those of the last so many days.
  case days(Int)
  /// None is made, and there is no way back.
  case none
}

/// The backups that stay, and those that go.
extension StoreBackup {
  private static let what = "cannot look at the backups"

  /// The backups in a work folder, the oldest first; what has no manifest is none.
  package static func list(_ folder: WorkFolder) throws -> [StoreBackup] {
    var found: [(backup: StoreBackup, written: Int64)] = []
    try replacing(what, folder.backups) {
      guard try FileSystem.isFolder(folder.backups) else { return }
      try FileSystem.forEachName(in: folder.backups) { name in
        let path = "\(folder.backups)/\(name)"
        guard let backup = try? read(path) else { return }
        // The date is in seconds: of two of one second the manifest that is older comes first.
        found.append((backup, try FileEntry.at("\(path)/\(manifestName)")?.modified ?? 0))
      }
    }
    return found.sorted {
      ($0.backup.date, $0.written, $0.backup.path) < ($1.backup.date, $1.written, $1.backup.path)
    }.map(\.backup)
  }

  /// Removes what killed processes left of backups that they had not finished, or were checking.
  ///
  /// Those of one `run` go, or of all runs when it is nil.
  static func removeUnfinished(_ folder: WorkFolder, run: String?) throws {
    guard try FileSystem.isFolder(folder.backups) else { return }
    OwnedFolder.removeLeft(in: folder.backups)
    var unfinished: [String] = []
    try FileSystem.forEachName(in: folder.backups) { name in
      let path = "\(folder.backups)/\(name)"
      // "2026-11-21T144549Z-5f0c9a1e", as `make` calls them: no other folders go.
      guard isName(name),
        run.map({ name.contains("-\($0.prefix(8))") }) ?? true,
        try FileEntry.at("\(path)/\(manifestName)") == nil
      else { return }
      unfinished.append(path)
    }
    for path in unfinished { try FileMoves.removeTree(path) }
  }

  /// Whether a folder is called as backups of runs are; a regular expression would be compiled each
  /// time.
  private static func isName(_ name: String) -> Bool {
    let form = "0000-00-00T000000Z-".utf8
    return name.utf8.count > form.count
      && zip(name.utf8, form).allSatisfy { byte, sign in
        sign == UInt8(ascii: "0")
          ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == sign
      }
  }

  /// The backups beyond those that were to stay, by what happened to them.
  package struct Pruning: Sendable, Hashable {
    /// Those that went, the oldest first.
    package var removed: [StoreBackup] = []
    /// Those that stay because rejected objects wait for them.
    package var awaited: [StoreBackup] = []
    /// Those that stay because they are of another store that was at the same path.
    package var foreign: [StoreBackup] = []
  }

  /// Removes the backups beyond those that stay; never those at `kept`, which count among them.
  ///
  /// A backup that rejected objects wait for, in the store or in a backup that stays, stays in
  /// addition, and so does one of another store: neither is anywhere else.
  ///
  /// - Parameters:
  ///   - folder: The work folder that the backups lie in.
  ///   - keep: How many of them are to stay.
  ///   - kept: The folders of those that are needed.
  ///   - awaited: The runs that made those that rejected objects wait for: those of the store, by
  ///     nil, and those of the stores in backups, by the runs that made these.
  ///   - now: The time from which their days are counted.
  /// - Returns: What happened to each of them.
  /// - Throws: ``Failure`` when it is not known which store it is that is there.
  @discardableResult package static func prune(
    _ folder: WorkFolder, keep: BackupsKept, kept: Set<String> = [],
    awaited: [String?: Set<String>] = [:], now: Date = Date()
  ) throws -> Pruning {
    func old(_ own: [StoreBackup]) -> [StoreBackup] { beyond(keep, own, kept, now) }
    var own = try list(folder).filter { Array($0.store.utf8) == Array(folder.store.utf8) }
    var result = Pruning()
    // No store is opened where none would go.
    guard !old(own).isEmpty else { return result }
    let present = try identifiers(of: Store(folder.store, isBrief: true).metadata)
    result.foreign = own.filter { backup in
      // One that cannot be read shows nothing.
      let metadata = try? Store(backup.mainPath, isBrief: true).metadata
      return metadata.map { identifiers(of: $0).isDisjoint(with: present) } ?? false
    }
    own.removeAll(where: result.foreign.contains)
    result.foreign.removeAll { kept.contains($0.path) }
    let surplus = old(own)
    let staying = own.filter { !surplus.contains($0) }
    let needed = staying.reduce(awaited[nil] ?? []) { $0.union(awaited[$1.run] ?? []) }
    for backup in surplus {
      if needed.contains(backup.run) {
        result.awaited.append(backup)
      } else {
        result.removed.append(backup)
      }
    }
    try replacing("cannot remove the backup", folder.backups) {
      for backup in result.removed { try remove(backup) }
    }
    return result
  }

  /// Those of a store's backups that are too many or too old, the oldest first.
  private static func beyond(
    _ keep: BackupsKept, _ own: [StoreBackup], _ kept: Set<String>, _ now: Date
  ) -> [StoreBackup] {
    let all = own.filter { !kept.contains($0.path) }
    switch keep {
    case .none: return []
    case .count(let count):
      // Those without their files take no place, and go with those that were made after them.
      let others = own.filter { kept.contains($0.path) && $0.hasFiles }.count
      if others >= count { return all }
      let surplus = all.filter(\.hasFiles).dropLast(count - others)
      let newest = all.lastIndex { $0 == surplus.last }
      return newest.map { Array(all[...$0]) } ?? []
    case .days(let days):
      return all.filter { Double($0.date) < now.timeIntervalSince1970 - Double(days) * 86_400 }
    }
  }

  /// Removes the backup of a run whose exchange has not begun: the store is as it was.
  package static func withdraw(of run: String, _ folder: WorkFolder) throws {
    let own = try list(folder).filter { $0.run == run }
    try replacing("cannot remove the backup", folder.backups) {
      for backup in own { try remove(backup) }
      try removeUnfinished(folder, run: run)
    }
  }

  /// Whether its files are there.
  ///
  /// A manifest that a power cut has left alone is no way back, and must not take the place of one.
  /// Large values have a folder of their own, whose names were synced before the manifest's: one of
  /// them shows that the folder is there.
  private var hasFiles: Bool {
    let names = files.map(\.name)
    let own = names.filter { !$0.utf8.contains(UInt8(ascii: "/")) }
    return (own + names.suffix(1)).allSatisfy { name in
      (try? FileEntry.at("\(path)/\(name)"))?.isRegular == true
    }
  }

  /// Its manifest goes first: half a backup is never taken for one.
  private static func remove(_ backup: StoreBackup) throws {
    try FileMoves.remove("\(backup.path)/\(manifestName)")
    try FileMoves.removeTree(backup.path)
  }

  /// Removes old backups and what finished runs left.
  ///
  /// What was cut short and can be resumed is left alone, with the backups that it needs.
  ///
  /// - Parameters:
  ///   - folder: The work folder that the backups lie in.
  ///   - keep: How many backups stay.
  ///   - awaited: Is asked under the lock for the runs whose backups rejected objects wait for.
  /// - Returns: The backups that went, and those that did not.
  /// - Throws: ``Failure`` of kind `busy` when a process is at work on the store.
  package static func clean(
    _ folder: WorkFolder, keep: BackupsKept,
    awaited: () throws -> [String?: Set<String>] = { [:] }
  ) throws -> Pruning {
    guard try replacing(what, folder.work, { try FileEntry.at(folder.work) }) != nil else {
      return Pruning()
    }
    let lock = try RunLock(folder)
    defer { lock.unlock() }
    let state = try RunState.read(folder)
    let isOver = state == nil || state?.phase == .done
    try replacing(what, folder.backups) { try removeUnfinished(folder, run: nil) }
    let needed = isOver ? [] : try list(folder).filter { state?.needs($0) ?? false }
    let result = try prune(
      folder, keep: keep, kept: Set(needed.map(\.path)), awaited: try awaited())
    if isOver { try folder.removeRun() }
    return result
  }
}

extension RunState {
  /// Whether a backup is needed to finish what the state is of, or to undo it.
  ///
  /// A retry takes the objects from the backup of an earlier run, which the store names and this
  /// state does not: while one is cut short, all backups stay.
  fileprivate func needs(_ backup: StoreBackup) -> Bool {
    work == .retry || backup.path == self.backup?.path || backup.digest == restored
  }
}
