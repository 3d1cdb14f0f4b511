internal import CoreDataStore
internal import OperatingSystem

/// The large values of a store as the swap moves them: first the union of old and new, then the
/// new ones alone.
///
/// A store never refers to a file that is not there: before the commit all of the old ones and
/// after it all of the new ones are.
struct SwapBlobs {
  private let folder: WorkFolder
  private let files: StoreFiles
  private let work: RunState.Work

  init(_ folder: WorkFolder, _ files: StoreFiles, for work: RunState.Work) {
    (self.folder, self.files, self.work) = (folder, files, work)
  }

  private var place: String { files.externalDataFolder }

  /// The names that the new store refers to and only the run's folder has.
  ///
  /// - Throws: ``Failure`` when the store has another file of such a name.
  func toAdd(_ staged: StagedContent) throws -> [String] {
    let names = try ExternalFolder.names(in: folder.nextExternals)
    // All blobs are read to find the references.
    if names.isEmpty { return [] }
    let needed = try ExternalFolder.references(in: staged.connection)
    return try names.filter { try needed.contains($0) && !isThere($0) }
  }

  /// The names that only the old store refers to.
  func toDrop(_ store: LockedStore, _ staged: StagedContent) throws -> [String] {
    let names = try ExternalFolder.names(in: place)
    if names.isEmpty { return [] }
    let needed = try ExternalFolder.references(in: staged.connection)
    let old = try ExternalFolder.references(in: store.connection)
    return names.filter { old.contains($0) && !needed.contains($0) }
  }

  /// Adds files, each under its name when it is whole; those that are there already are left.
  ///
  /// Core Data never writes to such a file again: one that differs from a backup's is damaged, and
  /// a restore replaces it. What was there is in the backup that the swap has made.
  ///
  /// They get the permissions, owner and extended attributes of the store.
  func add(_ names: [String], like store: LockedStore) throws {
    if names.isEmpty { return }
    try FileSystem.makeFolder(files.supportFolder)
    try FileSystem.makeFolder(place)
    for name in names {
      let target = "\(place)/\(name)"
      // A killed process leaves it.
      try FileMoves.remove(target + FileMoves.unfinished)
      if try isThere(name) { continue }
      try FileMoves.makeWhole(target, replaces: work == .restore) {
        try FileSystem.clone("\(folder.nextExternals)/\(name)", to: $0)
        try store.copyAttributes(to: $0)
      }
    }
    try FileSystem.sync(folder: place)
    try FileSystem.sync(folder: files.supportFolder)
    try FileSystem.sync(folder: files.folder)
  }

  /// What happened to files that a store no longer refers to.
  struct Drop {
    /// Says which of them stay for another store that shares the folder, if any do.
    var shared: String?
    /// Says what could not be removed.
    var failures: [String] = []
  }

  /// Removes files that neither the store as it is now refers to nor another one that shares the
  /// folder.
  func drop(_ names: [String], from store: LockedStore) throws -> Drop {
    var drop = Drop()
    let needed = try names.isEmpty ? [] : ExternalFolder.references(in: store.connection)
    let unneeded = try names.filter { name in
      try !needed.contains(name) && FileEntry.at("\(place)/\(name)")?.isRegular == true
    }
    if unneeded.isEmpty { return drop }
    let others = SharedExternals(files, clonesIn: folder.path)
    drop.shared = others.warning(of: unneeded)
    for name in unneeded where !others.keeps(name) {
      let path = "\(place)/\(name)"
      do {
        try FileMoves.remove(path)
      } catch {
        drop.failures.append(
          "\(path) is no longer needed and could not be removed: \(error.message).")
      }
    }
    try FileSystem.sync(folder: place)
    return drop
  }

  /// Removes what `add` put there, or began to, unless the store refers to it.
  func takeBack(_ names: [String], from store: LockedStore) throws {
    for name in names { try FileMoves.remove("\(place)/\(name)\(FileMoves.unfinished)") }
    _ = try drop(names, from: store)
  }

  /// The length of the files that the old store has.
  func oldBytes() throws -> Int64 { try ExternalFolder.bytes(in: place) }

  /// The length of the files that the run made.
  func newBytes() throws -> Int64 { try ExternalFolder.bytes(in: folder.nextExternals) }

  /// Whether the store has this very file already.
  private func isThere(_ name: String) throws -> Bool {
    let path = "\(place)/\(name)"
    guard let entry = try FileEntry.at(path) else { return false }
    guard entry.isRegular else { throw taken(path, "What is there is no regular file.") }
    let made = "\(folder.nextExternals)/\(name)"
    if try FileDigest(ofFile: path) == FileDigest(ofFile: made) { return true }
    if work == .restore { return false }
    throw taken(path, "Another file of that name is there.")
  }

  private func taken(_ path: String, _ why: String) -> Failure {
    Failure(
      .unusable, what: "cannot add a large value of the new store", subject: path, why: why,
      remedy: "The store is as it was. Move \(ShellWord.quoted(path)) away, and give the same "
        + "command again.")
  }
}
