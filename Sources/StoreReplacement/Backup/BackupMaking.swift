internal import CoreDataStore
internal import Formats
internal import Foundation
internal import OperatingSystem
internal import SQLite

/// Making a backup, and checking one.
extension StoreBackup {
  private static let what = "cannot make the backup"

  /// Copies a locked store with its large values to a new folder among the backups, and what is
  /// known of the run with it.
  static func make(
    of store: LockedStore, _ folder: WorkFolder, run: String, now: Date = Date()
  ) throws -> StoreBackup {
    let path = try newFolder(folder, run: run, now: now)
    return try replacing(what, path) {
      try copy(store, StoreFiles(folder.store), to: path, run: run, now: now) {
        try BackupProvenance.keep(folder, run: run, in: path)
      }
    }
  }

  /// Copies a store that others may be using to an empty folder, and reads the copy again.
  static func make(
    of store: SteadyStore, _ files: StoreFiles, in place: String, run: String,
    _ check: () throws -> Void
  ) throws {
    let backup = try copy(store, files, to: place, run: run, now: Date(), check: check)
    try check()
    try backup.verify()
  }

  /// Copies everything; the manifest comes last, after the content of all files is synced.
  private static func copy(
    _ store: some CopiedStore, _ files: StoreFiles, to path: String, run: String, now: Date,
    check: () throws -> Void = {}, adding: () throws -> Void = {}
  ) throws -> StoreBackup {
    let main = "\(path)/\(files.name)"
    // Before the database and after it: a value that is added or removed meanwhile is in one.
    _ = try copyBlobs(files, to: path, check)
    try store.clone(to: main)
    var names = [files.name]
    if try FileEntry.at(main + "-wal") != nil { names.append(files.name + "-wal") }
    for name in names { try store.copyAttributes(to: "\(path)/\(name)") }
    names += try copyBlobs(files, to: path, check)
    let copies = try names.map { name in
      try check()
      let copy = "\(path)/\(name)"
      try FileSystem.sync(copy)
      let known = name == files.name ? try store.digest(ofClone: copy) : nil
      return File(name: name, digest: try known ?? FileDigest(ofFile: copy))
    }
    try adding()
    let (image, missing) = try content(of: store, main)
    let manifest = manifest(
      run: run, date: Int64(now.timeIntervalSince1970), store: files.path, image: image,
      journal: store.journal, files: copies, missing: missing)
    // Their names are synced with the manifest's, in one folder. Where a file system keeps no order
    // a power cut may leave the manifest alone: a backup is used only if its files have the digests
    // in it, and without them it does not count among those that stay.
    try FileMoves.write(manifest, to: "\(path)/\(manifestName)")
    try FileSystem.sync(folderOf: path)
    return try read(path)
  }

  /// What was copied, and which large values it refers to that were not.
  private static func content(
    of store: some CopiedStore, _ main: String
  ) throws -> (PageImage, [MissingExternals]) {
    let place = FileSystem.folder(of: FileSystem.folder(of: main))
    let folder = try StoreFiles(main).externalDataFolder
    func missing(_ connection: Connection) throws -> [MissingExternals] {
      try ExternalFolder.missing(from: folder, in: connection) { schema(of: main, place) }
    }
    if let image = store.image, let reader = store.reader { return (image, try missing(reader)) }
    return try withContent(of: main, in: place) { (try $0.pageImage(), try missing($0)) }
  }

  /// What the model that a store keeps of itself makes of it.
  private static func schema(of main: String, _ place: String) -> StoreSchema? {
    guard
      let store = try? Store(
        main, temporaryFolder: place, nil, copiesBelow: Store.copiesBelow, reading: .sound)
    else { return nil }
    return try? store.recognise().model.map(store.expectedSchema)
  }

  /// A folder named by the date and the run, that is not there yet.
  private static func newFolder(_ folder: WorkFolder, run: String, now: Date) throws -> String {
    try replacing(what, folder.backups) {
      // The folder that it is in is synced before the exchange, with the backup's name in it.
      try FileSystem.makeFolder(folder.backups)
      let date = TimeText(now.timeIntervalSince1970).fileName
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

  /// Copies the large values that are not copied yet; gives back all that are.
  private static func copyBlobs(
    _ files: StoreFiles, to path: String, _ check: () throws -> Void
  ) throws -> [String] {
    let names = try ExternalFolder.names(in: files.externalDataFolder)
    let support = String(files.supportFolder.split(separator: "/").last ?? "")
    let inner = "\(support)/_EXTERNAL_DATA"
    guard try !names.isEmpty || FileEntry.at("\(path)/\(inner)") != nil else { return [] }
    try FileSystem.makeFolder("\(path)/\(support)")
    try FileSystem.makeFolder("\(path)/\(inner)")
    for name in names {
      let copy = "\(path)/\(inner)/\(name)"
      if try FileEntry.at(copy) != nil { continue }
      try check()
      try copyBlob("\(files.externalDataFolder)/\(name)", to: copy)
    }
    try FileSystem.sync(folder: "\(path)/\(inner)")
    try FileSystem.sync(folder: "\(path)/\(support)")
    return try ExternalFolder.names(in: "\(path)/\(inner)").map { "\(inner)/\($0)" }
  }

  /// Copies one, unless it is gone: another process removes it when nothing refers to it any more.
  private static func copyBlob(_ value: String, to copy: String) throws(SystemError) {
    do throws(SystemError) {
      try FileSystem.clone(value, to: copy)
      try FileSystem.copyAttributes(from: value, to: copy)
      try FileSystem.sync(copy)
    } catch {
      guard error.isMissing else { throw error }
    }
  }

  /// Reads every file again, and opens a copy: a backup that does not open is none.
  ///
  /// - Parameters:
  ///   - place: The folder for the copy; the one that the backup's folder is in unless given.
  ///   - isSound: Whether SQLite must find nothing wrong; a backup of what is damaged is better
  ///     than none.
  /// - Throws: ``Failure`` that names what is missing or differs.
  package func verify(in place: String? = nil, isSound: Bool = true) throws {
    try verifyFiles()
    try verifyContent(in: place, isSound: isSound)
  }

  /// Reads every file again, and opens none.
  ///
  /// - Throws: ``Failure`` that names what is missing or differs.
  package func verifyFiles() throws {
    try replacing(Self.use, path) {
      for file in files {
        let copy = "\(path)/\(file.name)"
        guard let entry = try FileEntry.at(copy) else { throw failure("\(file.name) is missing.") }
        guard entry.isRegular else { throw failure("\(file.name) is no regular file.") }
        guard try FileDigest(ofFile: copy) == file.digest else {
          throw failure("\(file.name) is not what was copied.")
        }
      }
    }
  }

  /// Opens it, and compares its content with the store's: enough for a backup that was made
  /// just now, whose digests are those of the files that are there.
  func verifyContent(in place: String? = nil, isSound: Bool) throws {
    try replacing(Self.use, path) {
      try withContent(in: place ?? FileSystem.folder(of: path)) { connection in
        let problems = try isSound ? connection.problems() : []
        guard problems.isEmpty else { throw failure("It is damaged: \(problems[0]).") }
        guard try connection.pageImage() == image else {
          throw failure("Its content is not what was copied.")
        }
      }
    }
  }

  private static let use = "cannot use the backup"

  /// Opens the backup, or a copy of it where SQLite would write next to it: it stays as it is.
  func withContent<Result>(
    in place: String?, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try Self.withContent(of: mainPath, in: place, body)
  }

  private static func withContent<Result>(
    of path: String, in place: String?, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let files = try StoreFiles(path)
    if files.walBytes == nil, files.journalBytes == nil,
      try !DatabaseFile.examine(path).header.isWAL
    {
      let connection = try Connection(path: path, mode: .foreign)
      defer { try? connection.close() }
      return try body(connection)
    }
    let clone = try TemporaryClone(of: files, in: place)
    return try withExtendedLifetime(clone) {
      var mode = OpenMode.foreignWritable
      mode.durability = .off
      let connection = try Connection(path: clone.path, mode: mode)
      defer { try? connection.close() }
      return try body(connection)
    }
  }

  private func failure(_ why: String) -> Failure {
    Failure(
      .unusable, what: Self.use, subject: path, why: why,
      remedy: "Use another backup.")
  }
}
