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
    var found: [StoreBackup] = []
    try replacing(what, folder.backups) {
      guard try FileSystem.isFolder(folder.backups) else { return }
      try FileSystem.forEachName(in: folder.backups) { name in
        if let backup = try? read("\(folder.backups)/\(name)") { found.append(backup) }
      }
    }
    return found.sorted { ($0.date, $0.path) < ($1.date, $1.path) }
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

  /// Removes the backups beyond those that stay; never those at `kept`, which count among them.
  ///
  /// - Returns: Those that went.
  @discardableResult package static func prune(
    _ folder: WorkFolder, keep: BackupsKept, kept: Set<String> = [], now: Date = Date()
  ) throws -> [StoreBackup] {
    let own = try list(folder).filter { Array($0.store.utf8) == Array(folder.store.utf8) }
    let all = own.filter { !kept.contains($0.path) }
    let old: ArraySlice<StoreBackup> =
      switch keep {
      case .none: []
      case .count(let count): all.dropLast(max(0, count - (own.count - all.count)))
      case .days(let days):
        all.filter { Double($0.date) < now.timeIntervalSince1970 - Double(days) * 86_400 }[...]
      }
    try replacing("cannot remove the backup", folder.backups) {
      for backup in old { try remove(backup) }
    }
    return Array(old)
  }

  /// Removes the backup of a run whose exchange has not begun: the store is as it was.
  package static func withdraw(of run: String, _ folder: WorkFolder) throws {
    let own = try list(folder).filter { $0.run == run }
    try replacing("cannot remove the backup", folder.backups) {
      for backup in own { try remove(backup) }
      try removeUnfinished(folder, run: run)
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
  /// - Returns: The backups that went.
  /// - Throws: ``Failure`` of kind `busy` when a process is at work on the store.
  package static func clean(
    _ folder: WorkFolder, keep: BackupsKept
  ) throws -> [StoreBackup] {
    guard try replacing(what, folder.work, { try FileEntry.at(folder.work) }) != nil else {
      return []
    }
    let lock = try RunLock(folder)
    defer { lock.unlock() }
    let state = try RunState.read(folder)
    let isOver = state == nil || state?.phase == .done
    try replacing(what, folder.backups) { try removeUnfinished(folder, run: nil) }
    let needed = isOver ? [] : try list(folder).filter { state?.needs($0) ?? false }
    let removed = try prune(folder, keep: keep, kept: Set(needed.map(\.path)))
    if isOver { try folder.removeRun() }
    return removed
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
