internal import CoreDataStore
internal import OperatingSystem
internal import SQLite

/// The new store at a place of its own, for runs that leave the old one as it is.
package enum StoreOutput {
  private static let what = "cannot put the new store there"

  /// Makes the file of a report, so that all of it or nothing has its name.
  package static func write(
    report path: String, replaces: Bool, fill: (String) throws -> Void
  ) throws {
    try FileMoves.makeWhole(path, replaces: replaces, fill: fill)
  }

  /// Copies the staged store of a sealed run with its large values; nothing that is there is
  /// written over.
  ///
  /// It gets the `journal` mode "wal" or "delete".
  ///
  /// - Returns: What went wrong once the new store was there, for the user.
  package static func place(
    _ folder: WorkFolder, _ state: RunState, at output: String, journal: String = "delete"
  ) throws -> [String] {
    try alone(at: output) { output in
      if try isPlaced(state, at: output, in: folder) {
        // The process was killed when the store had its name, and perhaps another one, too.
        try FileMoves.remove(output + FileMoves.unfinished)
        try FileSystem.sync(folderOf: output)
        return []
      }
      return try make(folder, state, at: output, journal: journal)
    }
  }

  private static func make(
    _ folder: WorkFolder, _ state: RunState, at output: String, journal: String
  ) throws -> [String] {
    let old = try StoreFiles(folder.store)
    guard Overlay.isOne(folder.nextPath) else {
      try replacing(what, folder.nextPath) {
        let staged = try Connection(path: folder.nextPath, mode: .own(create: false))
        _ = try staged.setJournalMode(journal)
        // The last connection that closes takes the -wal with it: the file alone is the store.
        try staged.close()
      }
      return try make(at: output, of: folder, besides: old)
    }
    return try make(at: output, of: folder, besides: old) { part in
      let staged = try StagedContent(sealed: folder, state)
      defer { try? staged.close() }
      try staged.write(to: part, isWAL: journal == "wal")
    }
  }

  /// Whether what is there is the new store of the run, as it was sealed: its main file is the last
  /// that is placed.
  ///
  /// - Throws: ``Failure`` when it cannot be looked at, for want of room for one.
  package static func isPlaced(
    _ state: RunState, at output: String, in folder: WorkFolder
  ) throws -> Bool {
    try look(at: output, in: folder) { there in
      try CommitMarker.last(in: there) == state.mark && there.pageImage() == state.next
    } == true
  }

  /// Whether what is there is what a backup holds, in all its pages and the large values that it
  /// refers to.
  ///
  /// - Throws: ``Failure`` when it cannot be looked at, for want of room for one.
  package static func isPlaced(
    _ backup: StoreBackup, at output: String, in folder: WorkFolder
  ) throws -> Bool {
    let needed = try look(at: output, in: folder) { there in
      try there.pageImage() == backup.image ? ExternalFolder.references(in: there) : nil
    }
    guard let needed, let kept = try? StoreFiles(backup.mainPath).externalDataFolder,
      let placed = try? StoreFiles(output).externalDataFolder,
      let names = try? ExternalFolder.names(in: kept)
    else { return false }
    return names.filter(needed.contains).allSatisfy { name in
      let digest = try? FileDigest(ofFile: "\(placed)/\(name)")
      return digest != nil && digest == (try? FileDigest(ofFile: "\(kept)/\(name)"))
    }
  }

  /// Reads a store as a clone, where the run's folder is, which has had room: SQLite would leave a
  /// -wal next to the store itself.
  private static func look<Result>(
    at output: String, in folder: WorkFolder, _ body: (Connection) throws -> Result?
  ) throws -> Result? {
    guard (try? StoreFiles.isThere(output)) == true, let files = try? StoreFiles(output) else {
      return nil
    }
    let isBegun = (try? FileEntry.at(folder.path)) != nil
    let clone = try TemporaryClone(of: files, in: isBegun ? folder.path : nil)
    return withExtendedLifetime(clone) {
      guard let there = try? Connection(path: clone.path, mode: .foreignWritable) else {
        return nil
      }
      defer { try? there.close() }
      return try? body(there)
    }
  }

  /// The same; large values that were not staged are those of `old`, whose permissions, owner and
  /// extended attributes the files get.
  ///
  /// The main file comes last, under its name at once: what has that name is whole.
  static func place(
    _ folder: WorkFolder, at output: String, besides old: StoreFiles
  ) throws -> [String] {
    try alone(at: output) { try make(at: $0, of: folder, besides: old) }
  }

  private static func make(
    at output: String, of folder: WorkFolder, besides old: StoreFiles
  ) throws -> [String] {
    try make(at: output, of: folder, besides: old) {
      try FileSystem.clone(folder.nextPath, to: $0)
    }
  }

  private static func make(
    at output: String, of folder: WorkFolder, besides old: StoreFiles,
    fill: (String) throws -> Void
  ) throws -> [String] {
    try refuse(output)
    try copyBlobs(folder, old, to: Place(output))
    let failure = try FileMoves.makeNew(output) { part in
      try fill(part)
      try FileSystem.copyAttributes(from: old.path, to: part)
    }
    return failure.map { failure in
      [
        "the new store is whole, at \(output), but then failed \(failure.message). After a power "
          + "cut it may not be there: check the disk, and copy the store"
      ]
    } ?? []
  }

  /// Copies a store that this program has made, with its large values; nothing that is there is
  /// written over.
  ///
  /// - Throws: ``Failure``, also when other large values are where its own belong.
  package static func place(made store: String, at output: String) throws {
    // The next command that makes the store takes over a lock that stays.
    _ = try alone(at: output) { output in
      let connection = try Connection(path: store, mode: .own(create: false))
      _ = try connection.setJournalMode("DELETE")
      // The last connection that closes takes the -wal with it: the file alone is the store.
      try connection.close()
      let made = try StoreFiles(store)
      try refuse(output)
      let names = try ExternalFolder.names(in: made.externalDataFolder)
      let target = Place(output)
      if let other = try ExternalFolder.names(in: target.externals).first(where: {
        !names.contains($0)
      }) {
        throw taken("\(target.externals)/\(other)", "A large value of another store is there.")
      }
      try copyBlobs(names, to: target, like: made.path) { _ in made.externalDataFolder }
      try FileMoves.copyWhole(made.path, to: output, like: made.path)
      return []
    }
  }

  /// Removes the stores that ``list(_:in:)`` has noted in a folder, and their list.
  ///
  /// - Returns: Whether there was a list.
  /// - Throws: ``Failure`` when one of them has been written to since: nothing is removed then.
  package static func removeListed(in folder: String) throws -> Bool {
    let list = "\(folder)/\(listName)"
    return try replacing(what, folder) {
      guard let bytes = try FileSystem.record(list, most: 16 << 20) else { return false }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      let stores = lines.map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        .filter { $0.count == 2 && $0[1].hasSuffix(".sqlite") && !$0[1].contains("/") }
        .map { (digest: $0[0], path: "\(folder)/\($0[1])") }
      var there: [String] = []
      for (digest, path) in stores {
        guard let entry = try FileEntry.at(path) else { continue }
        guard entry.isRegular, try FileEntry.at(path + "-wal") == nil,
          try FileDigest(ofFile: path).sha256 == digest
        else { throw taken(path, "It has been written to since the tests left it.") }
        there.append(path)
      }
      for path in there {
        try FileMoves.remove(path)
        try FileMoves.removeTree(StoreFiles.supportFolder(of: path))
      }
      try FileMoves.remove(list)
      return true
    }
  }

  /// Notes in its folder that a store there was placed by this program, and may be replaced by it.
  package static func list(_ store: String, in folder: String) throws {
    let list = "\(folder)/\(listName)"
    try replacing(what, list) {
      let earlier = try FileSystem.record(list, most: 16 << 20) ?? []
      let digest = try FileDigest(ofFile: "\(folder)/\(store)").sha256
      try FileMoves.writeUnsynced(earlier + Array("\(digest) \(store)\n".utf8), to: list)
    }
  }

  private static let listName = "pipeline-test-stores.txt"

  /// Keeps other processes from putting their store there meanwhile: what is not whole yet has the
  /// same name in each of them.
  ///
  /// The lock is a file next to the store, which goes; that of a killed process is taken over.
  ///
  /// - Returns: What `body` warns of, and a lock that stays.
  private static func alone(
    at output: String, _ body: (String) throws -> [String]
  ) throws -> [String] {
    try replacing(what, output) {
      let output = try StorePath.resolved(output)
      let path = output + lockSuffix
      guard let lock = try OpenDescriptor.taking(path) else {
        throw Failure(
          .busy, what: what, subject: output, why: "Another process puts a store there.",
          remedy: "Give another path, or wait for it.")
      }
      guard try FileEntry.of(lock).size == 0 else {
        throw taken(path, "It is no lock of ours: something is in it.")
      }
      defer { lock.unlock() }
      do {
        return try body(output) + remove(lock: path)
      } catch {
        try? FileMoves.remove(path)
        throw error
      }
    }
  }

  private static func remove(lock path: String) -> [String] {
    do throws(SystemError) {
      try FileMoves.remove(path)
      return []
    } catch {
      return ["\(path) is no longer needed and could not be removed: \(error.message)."]
    }
  }

  private static let lockSuffix = ".pipeline-lock"

  private static func taken(_ path: String, _ why: String) -> Failure {
    Failure(
      .unusable, what: what, subject: path, why: why,
      remedy: "Give another path, or move it away.")
  }

  /// Refuses a place where something is.
  ///
  /// A -wal or -journal belongs to a file by its name only: the new store would be taken for what
  /// they are of. The folder of large values may be there: a killed process may have left it.
  private static func refuse(_ output: String) throws {
    for path in [output, output + "-wal", output + "-journal", output + "-shm"]
    where try FileEntry.at(path) != nil {
      throw taken(path, "Something is there already.")
    }
  }

  private static func copyBlobs(
    _ folder: WorkFolder, _ old: StoreFiles, to target: Place
  ) throws {
    let needed = try StagedContent.references(folder)
    let new = Set(try ExternalFolder.names(in: folder.nextExternals))
    let kept = Set(try ExternalFolder.names(in: old.externalDataFolder))
    let names = needed.filter { new.contains($0) || kept.contains($0) }.sorted()
    try copyBlobs(names, to: target, like: old.path) { name in
      new.contains(name) ? folder.nextExternals : old.externalDataFolder
    }
  }

  private static func copyBlobs(
    _ names: [String], to target: Place, like model: String, from folder: (String) -> String
  ) throws {
    if names.isEmpty { return }
    try FileSystem.makeFolder(target.support)
    try FileSystem.makeFolder(target.externals)
    for name in names {
      try copyBlob("\(folder(name))/\(name)", to: "\(target.externals)/\(name)", like: model)
    }
    try FileSystem.sync(folder: target.externals)
    try FileSystem.sync(folder: target.support)
    try FileSystem.sync(folderOf: target.support)
  }

  /// Puts one file there, unless a killed process has.
  private static func copyBlob(_ source: String, to target: String, like model: String) throws {
    guard try FileEntry.at(target) == nil else {
      // A killed process leaves it.
      try FileMoves.remove(target + FileMoves.unfinished)
      if try FileDigest(ofFile: target) == FileDigest(ofFile: source) { return }
      throw taken(target, "Another file of that name is there.")
    }
    try FileMoves.copyWhole(source, to: target, like: model)
  }

  /// The folders next to a store that is not there yet.
  private struct Place {
    let support: String
    var externals: String { support + "/_EXTERNAL_DATA" }

    init(_ output: String) { support = StoreFiles.supportFolder(of: output) }
  }
}
