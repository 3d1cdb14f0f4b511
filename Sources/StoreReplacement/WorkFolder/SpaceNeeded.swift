internal import CoreDataStore
internal import Formats
internal import OperatingSystem
internal import SQLite

/// How much room a run needs on the disks it writes to, and whether that is there.
package struct SpaceNeeded: Sendable, Hashable {
  /// Bytes in the work folder: the copy of the source, the staged stores, the backup, large values.
  package var work: Int64
  /// Bytes next to the store: the journal of the swap, what the store grows by, large values.
  package var store: Int64
  /// What of the two takes no room where copies share the blocks of their originals: large values,
  /// and a backup that is a copy of its own.
  private let workShared: Int64
  private let storeShared: Int64
  /// The backup, which takes room of its own where a file cannot have a second name.
  private let workLinked: Int64

  /// Room for what is not counted: state, manifests, folders.
  private static let spare: Int64 = 16 << 20

  /// The room for a run that has made nothing yet.
  ///
  /// The copy of the store that it reads is the backup, too.
  ///
  /// - Parameters:
  ///   - old: Length of the store with its -wal.
  ///   - new: Expected length of the new store.
  ///   - stores: How many new stores there are at a time: two for a chain of versions.
  ///   - oldBlobs: Length of the large values next to the store, which the backup copies.
  ///   - newBlobs: Length of those that the new store has in addition.
  ///   - hasBackup: Whether there is a backup.
  ///   - scattered: How many objects the store has, where some are made or changed in an order that
  ///     is not that of their keys; nil where none are.
  package init(
    old: Int64, new: Int64, stores: Int = 1, oldBlobs: Int64 = 0, newBlobs: Int64 = 0,
    hasBackup: Bool = true, scattered: Int64? = nil
  ) {
    workShared = hasBackup ? oldBlobs : 0
    storeShared = newBlobs
    workLinked = hasBackup ? old : 0
    let last = scattered.map { Self.staged(new + $0 * Self.notes) } ?? new
    work = old + new * Int64(stores - 1) + last + newBlobs + workShared + Self.spare
    // The swap's rollback journal holds every page of the old store.
    store = old + max(0, new - old) + newBlobs + Self.spare
  }

  /// What is noted of an object until the store is finished, in tables and their indexes.
  private static let notes: Int64 = 192

  /// The room for a store with so many bytes of pages that change in no order, and for what the
  /// scripts make again of it to be verified.
  ///
  /// Their logs have a page each time that it is written, and are together up to sixteen times as
  /// long as the pages. A long one starts over once it has its pages twice: then there is a layer,
  /// and while one of the two is written once more, a second one.
  private static func staged(_ pages: Int64, longestLog: Int64 = Int64(OpenMode.usualLog)) -> Int64
  {
    let logs = 16 * pages
    return logs <= longestLog
      ? logs : min(logs, 2 * max(longestLog, 2 * pages)) + 3 * pages
  }

  /// The room for what is left when the new store is there.
  ///
  /// `oldCopy` is the length of a backup that is a copy of its own, `oldLink` that of one that is a
  /// second name of the run's copy.
  package init(
    swapOf old: Int64, by new: Int64, oldBlobs: Int64, newBlobs: Int64, oldCopy: Int64,
    oldLink: Int64 = 0
  ) {
    workShared = oldCopy + oldBlobs
    storeShared = newBlobs
    workLinked = oldLink
    work = workShared + Self.spare
    store = old + max(0, new - old) + newBlobs + Self.spare
  }

  /// Bytes in all, when both are on one disk.
  package var total: Int64 { work + store }

  /// Bytes in all on the disk of a run's folders; files are cloned where the disk can do that.
  package func total(in folder: WorkFolder) throws -> Int64 {
    let needed = try needed(in: folder)
    return needed.work + needed.store
  }

  /// What is needed for the work folder and next to the store.
  package func needed(in folder: WorkFolder) throws -> (work: Int64, store: Int64) {
    let place = try existing(folder.work)
    let shares = FileSystem.sharesBlocks(FileSystem.folder(of: folder.store), place)
    if shares { return (work - workShared, store - storeShared) }
    return (work + (FileSystem.hasLinks(place) ? 0 : workLinked), store)
  }

  /// Compares it with what is free; with an `output` the store's own place stays as it is.
  ///
  /// - Throws: ``Failure`` with the figures when there is too little.
  package func check(_ folder: WorkFolder, output: String? = nil) throws {
    let home = FileSystem.folder(
      of: try output.map { try StorePath.resolved($0) } ?? folder.store)
    let place = try existing(folder.work)
    let isOneDisk = try Self.device(of: home) == Self.device(of: place)
    func check(_ needed: (work: Int64, store: Int64)) throws {
      try self.check(isOneDisk ? needed.work + needed.store : needed.store, at: home)
      if !isOneDisk { try self.check(needed.work, at: place) }
    }
    // Whether copies share blocks is tried with files: where there is room for all of it, it does
    // not matter.
    do { try check((work + workLinked, store)) } catch { try check(needed(in: folder)) }
  }

  /// The same for a run that ends before the swap: there is neither a backup nor a journal, and in
  /// addition to the run's folder there may be the place where the result is kept.
  package func check(withoutSwap folder: WorkFolder, keep: String? = nil) throws {
    let place = try existing(folder.work)
    let needed = work - workShared
    guard let keep else { return try check(needed, at: place) }
    let home = FileSystem.folder(of: try StorePath.resolved(keep))
    let isOneDisk = try Self.device(of: home) == Self.device(of: place)
    try check(isOneDisk ? needed + store : needed, at: place)
    if !isOneDisk { try check(store, at: home) }
  }

  private func check(_ needed: Int64, at place: String) throws {
    let free = try replacing("cannot ask for the free space", place) {
      try FileSystem.freeBytes(at: place)
    }
    guard free < needed else { return }
    let (wanted, there) = ByteSize.texts(Int(needed), Int(free))
    throw Failure(
      .refused, what: "there is too little space", subject: place,
      why: "\(wanted) are needed, and \(there) are free.",
      remedy: "Free some space, or put the work folder on another disk with --work.")
  }

  /// The nearest folder above that is there already.
  private func existing(_ path: String) throws -> String {
    var path = path
    while path != "/", try replacing(Self.what, path, { try FileEntry.at(path) }) == nil {
      path = path.contains("/") ? FileSystem.folder(of: path) : "."
    }
    return path
  }

  private static let what = "cannot look at the folder"

  private static func device(of path: String) throws -> UInt64? {
    try replacing(what, path) { try FileEntry.at(path)?.identity.device }
  }
}
