internal import Formats
package import Foundation
internal import SQLite

/// Making a backup, and checking one.
extension StoreBackup {
  private static let what = "cannot make the backup"

  /// Copies a locked store with its large values; the manifest comes last, after all is synced.
  static func make(
    of store: LockedStore, _ folder: RunFolder, run: String, now: Date = Date(),
    at place: String? = nil
  ) throws -> StoreBackup {
    let files = try StoreFiles(folder.store)
    let path = try place ?? newFolder(folder, run: run, now: now)
    return try replacing(what, path) {
      let main = "\(path)/\(files.name)"
      try store.clone(to: main)
      var names = [files.name]
      if try FileEntry.at(main + "-wal") != nil { names.append(files.name + "-wal") }
      for name in names { try FileSystem.copyAttributes(from: files.path, to: "\(path)/\(name)") }
      names += try copyBlobs(files, to: path)
      let copies = try names.map { name in
        try FileMoves.sync("\(path)/\(name)")
        return File(name: name, digest: try FileMoves.digest(of: "\(path)/\(name)"))
      }
      try FileMoves.sync(folder: path)
      let manifest = manifest(
        run: run, date: Int64(now.timeIntervalSince1970), store: files.path, image: store.image,
        journal: store.journal, files: copies)
      try FileMoves.write(manifest, to: "\(path)/\(manifestName)")
      try FileMoves.sync(folderOf: path)
      return try read(path)
    }
  }

  /// Copies the store to a new folder of the user's choice, and reads the copy again.
  ///
  /// - Throws: ``StoreError`` of kind `busy` when somebody has the store for longer than `wait`.
  package static func make(
    _ folder: RunFolder, at place: String, run: String, wait: Duration
  ) throws -> StoreBackup {
    try replacing(what, place) {
      guard try FileEntry.at(place) == nil else {
        throw StoreError(
          .unusable, what: what, subject: place, why: "Something is there already.",
          remedy: "Give another path, or move it away.")
      }
      let store = try LockedStore(folder, wait: wait)
      do {
        try FileManager.default.createDirectory(
          atPath: place, withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
        let backup = try make(of: store, folder, run: run, at: place)
        try store.close()
        try backup.verify()
        return backup
      } catch {
        try? store.close()
        throw error
      }
    }
  }

  /// A folder named by the date and the run, that is not there yet.
  private static func newFolder(_ folder: RunFolder, run: String, now: Date) throws -> String {
    try replacing(what, folder.backups) {
      try FileSystem.makeFolder(folder.backups)
      try FileMoves.sync(folderOf: folder.backups)
      // 2026-11-21T144549Z: sorted by name is sorted by time, and no colon vexes anybody.
      let date = now.formatted(.iso8601).replacing(":", with: "")
      let name = "\(folder.backups)/\(date)-\(run.prefix(8))"
      var path = name
      var count = 2
      while try FileEntry.at(path) != nil {
        path = "\(name)-\(count)"
        count += 1
      }
      try FileSystem.makeFolder(path)
      return path
    }
  }

  private static func copyBlobs(_ files: StoreFiles, to path: String) throws -> [String] {
    let names = try ExternalFolder.names(in: files.externalDataFolder)
    if names.isEmpty { return [] }
    let support = String(files.supportFolder.split(separator: "/").last ?? "")
    let inner = "\(support)/_EXTERNAL_DATA"
    try FileSystem.makeFolder("\(path)/\(support)")
    try FileSystem.makeFolder("\(path)/\(inner)")
    for name in names {
      let copy = "\(path)/\(inner)/\(name)"
      try FileSystem.clone("\(files.externalDataFolder)/\(name)", to: copy)
      try FileSystem.copyAttributes(from: "\(files.externalDataFolder)/\(name)", to: copy)
      try FileMoves.sync(copy)
    }
    try FileMoves.sync(folder: "\(path)/\(inner)")
    try FileMoves.sync(folder: "\(path)/\(support)")
    return names.map { "\(inner)/\($0)" }
  }

  /// Reads every file again, and opens a copy: a backup that does not open is none.
  ///
  /// - Throws: ``StoreError`` that names what is missing or differs.
  package func verify() throws {
    try replacing("cannot use the backup", path) {
      for file in files where try FileMoves.digest(of: "\(path)/\(file.name)") != file.digest {
        throw failure("\(file.name) is not what was copied.")
      }
      try withContent { connection in
        let problems = try connection.problems()
        guard problems.isEmpty else { throw failure("It is damaged: \(problems[0]).") }
        guard try connection.pageImage() == image else {
          throw failure("Its content is not what was copied.")
        }
      }
    }
  }

  /// Opens a copy of the backup, which stays as it is.
  func withContent<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let clone = try TemporaryClone(of: StoreFiles(mainPath), in: FileMoves.folder(of: path))
    return try withExtendedLifetime(clone) {
      var mode = OpenMode.foreignWritable
      mode.durability = .off
      let connection = try Connection(path: clone.path, mode: mode)
      defer { try? connection.close() }
      return try body(connection)
    }
  }

  private func failure(_ why: String) -> StoreError {
    StoreError(
      .unusable, what: "cannot use the backup", subject: path, why: why,
      remedy: "Use another backup.")
  }
}

/// The backups that stay.
extension StoreBackup {
  /// The backups in a work folder, the oldest first; what has no manifest is none.
  package static func list(_ folder: RunFolder) throws -> [StoreBackup] {
    guard try replacing(what, folder.backups, { try FileEntry.at(folder.backups) }) != nil else {
      return []
    }
    var found: [StoreBackup] = []
    try replacing(what, folder.backups) {
      try FileSystem.forEachName(in: folder.backups) { name in
        if let backup = try? read("\(folder.backups)/\(name)") { found.append(backup) }
      }
    }
    return found.sorted { ($0.date, $0.path) < ($1.date, $1.path) }
  }

  /// Removes what a killed run left of a backup that it had not finished, or was checking.
  static func removeUnfinished(_ folder: RunFolder, run: String) throws {
    guard try FileEntry.at(folder.backups) != nil else { return }
    try TemporaryClone.removeLeft(in: folder.backups)
    var unfinished: [String] = []
    try FileSystem.forEachName(in: folder.backups) { name in
      let path = "\(folder.backups)/\(name)"
      guard name.contains("-\(run.prefix(8))"), try FileEntry.at("\(path)/\(manifestName)") == nil
      else { return }
      unfinished.append(path)
    }
    for path in unfinished { try FileMoves.removeTree(path) }
  }

  /// Removes the backups beyond those that stay; never the one at `kept`.
  package static func prune(
    _ folder: RunFolder, keep: SwapChoices.BackupKeep, kept: String? = nil, now: Date = Date()
  ) throws {
    let all = try list(folder).filter {
      Array($0.store.utf8) == Array(folder.store.utf8) && $0.path != kept
    }
    let old: ArraySlice<StoreBackup> =
      switch keep {
      case .none: []
      case .count(let count): all.dropLast(max(1, count) - (kept == nil ? 0 : 1))
      case .days(let days):
        all.filter { $0.date < Int64(now.timeIntervalSince1970) - Int64(days) * 86_400 }[...]
      }
    for backup in old {
      // Without its manifest first: half a backup is never taken for one.
      try FileMoves.remove("\(backup.path)/\(manifestName)")
      try FileMoves.removeTree(backup.path)
    }
  }
}
