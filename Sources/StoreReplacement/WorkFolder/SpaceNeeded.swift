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
  ///   - isScattered: Whether objects are made, or changed, in an order that is not that of their
  ///     keys: a log has a page each time that it is written, and the scripts make the objects
  ///     again to be verified.
  package init(
    old: Int64, new: Int64, stores: Int = 1, oldBlobs: Int64 = 0, newBlobs: Int64 = 0,
    hasBackup: Bool = true, isScattered: Bool = false
  ) {
    workShared = hasBackup ? oldBlobs : 0
    storeShared = newBlobs
    let again = isScattered ? 2 * new + min(Int64(OpenMode.usualLog), 32 * new) : 0
    work = old + new * Int64(stores) + again + newBlobs + workShared + Self.spare
    // The swap's rollback journal holds every page of the old store.
    store = old + max(0, new - old) + newBlobs + Self.spare
  }

  /// The room for what is left when the new store is there.
  ///
  /// `oldCopy` is the length of a backup that is a copy of its own.
  package init(
    swapOf old: Int64, by new: Int64, oldBlobs: Int64, newBlobs: Int64, oldCopy: Int64
  ) {
    workShared = oldCopy + oldBlobs
    storeShared = newBlobs
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
    let shares = FileSystem.sharesBlocks(
      FileSystem.folder(of: folder.store), try existing(folder.work))
    return shares ? (work - workShared, store - storeShared) : (work, store)
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
    do { try check((work, store)) } catch { try check(needed(in: folder)) }
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
