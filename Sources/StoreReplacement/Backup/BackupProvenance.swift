internal import CoreDataStore
internal import OperatingSystem
package import SQLite

/// What a run was made from: kept with the backup that it made, so that the store can be compared
/// with that backup later on, and objects that were rejected can be retried.
package struct BackupProvenance: Sendable, Hashable {
  package var run: String
  /// The run whose backup is the store that everything was built from; the run itself, unless it
  /// put in objects that an earlier one had rejected.
  package var basis: String
  /// The version that it led to.
  package var target: String
  /// The evaluated pipeline, as JSON.
  package var pipeline: String
  /// What it was allowed to lose in addition to what the pipeline says.
  package var acceptedLosses: [String] = []
  /// Whether it ran although the store was of the target version already.
  package var isForced = false
  /// Whether others had written to the store before objects were put in: then nothing shows what it
  /// was.
  package var isSaved = false
  /// The digests of models and scripts, by name.
  package var digests: [String: String] = [:]
  /// The content of the store that it made.
  package var image: PageImage
  /// The highest key that each table's root entity had given out.
  package var highestKeys: [String: Int64] = [:]
  /// The digests of the files of associations, by their names.
  package var associations: [String: FileDigest] = [:]

  /// What is known of a run whose store is made; `image` is that of the store.
  package init(
    run: String, basis: String? = nil, target: String, pipeline: String, image: PageImage
  ) {
    (self.run, self.basis) = (run, basis ?? run)
    (self.target, self.pipeline, self.image) = (target, pipeline, image)
  }
}

/// The file of a run's record as the last thing that it leaves.
package enum KeptRecord {
  /// The record's name in a run's folder, and in the folder that is kept with a backup.
  static let name = "record.json"

  /// Puts the record of a run that is over with the backup that it made.
  ///
  /// The record in the run's folder gets a second name there. Nothing is built on it: after a power
  /// cut it may be missing, or not be whole, and store and backup are what they are without it.
  package static func keep(_ record: String, of folder: WorkFolder, in backup: String) throws {
    let path = "\(BackupProvenance.folder(in: backup))/\(name)"
    try replacing("cannot write the run's record", path) {
      try FileSystem.makeFolder(BackupProvenance.folder(in: backup))
      try FileMoves.remove(path)
      if try FileMoves.link("\(folder.path)/\(name)", to: path) { return }
      try FileMoves.writeUnsynced(Array(record.utf8), to: path)
    }
  }
}

extension WorkFolder {
  /// The file of what is to be said of the last run that came to an end.
  package var recordPath: String { path + "/" + KeptRecord.name }

  /// Leaves what is to be said of the run in its folder.
  package func leave(record: String) throws {
    try replacing("cannot write the run's record", recordPath) {
      try FileMoves.writeUnsynced(Array(record.utf8), to: recordPath)
    }
  }

  /// What a run has left to be said of it; nil when there is nothing.
  package func record() throws -> [UInt8]? {
    try replacing("cannot read the run's record", recordPath) {
      try FileSystem.record(recordPath, most: 64 << 20)
    }
  }
}

extension BackupProvenance {
  /// The folder in a backup: no file of a store is called so.
  static func folder(in backup: String) -> String { "\(backup)/pipeline-run" }

  /// Notes in the run's folder what the run is made from; the staged store is whole.
  ///
  /// The copy that is put with the backup is synced, or this one before the exchange where there is
  /// none: a power cut before that leaves a run that writes it again.
  ///
  /// - Throws: ``Failure`` when it cannot be written.
  package mutating func write(_ folder: WorkFolder) throws { try write(folder, nil) }

  /// The same, read through a connection to the staged store where there is one.
  mutating func write(_ folder: WorkFolder, _ staged: Connection?) throws {
    try replacing(Self.what, folder.nextPath) {
      let connection = try staged ?? Connection(path: folder.nextPath, mode: .foreign)
      defer { if staged == nil { try? connection.close() } }
      if !isSaved { highestKeys = try Self.highestKeys(connection) }
      associations = [:]
      for name in try folder.associationNames() {
        associations[name] = try FileDigest(ofFile: "\(folder.path)/\(name)")
      }
      try FileMoves.writeUnsynced(bytes, to: "\(folder.path)/\(Self.fileName)")
    }
  }

  /// Makes sure that what a run's folder says of the run outlives a power cut.
  static func sync(_ folder: WorkFolder) throws {
    let path = "\(folder.path)/\(fileName)"
    try replacing(what, path) {
      if try FileEntry.at(path) != nil { try FileSystem.sync(path) }
    }
  }

  private static let what = "cannot keep what the run was made from"

  private static func highestKeys(_ connection: Connection) throws -> [String: Int64] {
    let rows = try connection.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY")
    let pairs = rows.compactMap { row in row[0].string.map { ($0, row[1].integer ?? 0) } }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Puts what a run's folder says of the run with a backup; the note comes last.
  ///
  /// A run that has noted nothing, as one that puts a backup back, keeps nothing.
  ///
  /// - Returns: Whether there is something new in the backup's folder, which is to be synced.
  @discardableResult
  static func keep(_ folder: WorkFolder, run: String, in backup: String) throws -> Bool {
    guard let kept = try? read(in: folder.path), kept.run == run else { return false }
    let place = Self.folder(in: backup)
    return try replacing(what, place) {
      if try FileEntry.at("\(place)/\(fileName)") != nil { return false }
      try FileSystem.makeFolder(place)
      for name in kept.associations.keys.sorted() {
        try FileMoves.remove("\(place)/\(name)")
        try FileSystem.clone("\(folder.path)/\(name)", to: "\(place)/\(name)")
        try FileSystem.sync("\(place)/\(name)")
      }
      let (note, own) = ("\(place)/\(fileName)", "\(folder.path)/\(fileName)")
      // Nothing writes into either: a note that changes is another file under its name.
      try FileSystem.sync(own)
      guard try FileMoves.link(own, to: note) else {
        try FileMoves.write(kept.bytes, to: note)
        return true
      }
      try FileSystem.sync(folder: place)
      return true
    }
  }
}

/// What was kept of a run, and where.
package struct ProvenancePlace: Sendable, Hashable {
  package let kept: BackupProvenance
  /// The folder that it lies in, with the associations.
  package let path: String

  /// What is kept of a run with one of the store's backups, or in the run's own folder.
  package static func find(_ run: String, _ folder: WorkFolder) throws -> ProvenancePlace? {
    let backups = try StoreBackup.list(folder).reversed().map {
      BackupProvenance.folder(in: $0.path)
    }
    for path in backups + [folder.path] {
      if let kept = try? BackupProvenance.read(in: path), kept.run == run {
        return ProvenancePlace(kept: kept, path: path)
      }
    }
    return nil
  }

  /// Copies the associations into a run's folder.
  ///
  /// - Throws: ``Failure`` when one is not what was kept.
  package func copyAssociations(to folder: WorkFolder) throws {
    for (name, digest) in kept.associations.sorted(by: { $0.key < $1.key }) {
      let source = "\(path)/\(name)"
      try replacing("cannot use what was kept of the run", source) {
        guard try FileEntry.at(source) != nil, try FileDigest(ofFile: source) == digest else {
          throw Failure(
            .unusable, what: "cannot use what was kept of the run", subject: source,
            why: "The file is not what was written: it is damaged or gone.",
            remedy: "Objects whose keys changed cannot be followed without it.")
        }
        try FileMoves.remove("\(folder.path)/\(name)")
        try FileSystem.clone(source, to: "\(folder.path)/\(name)")
      }
    }
  }
}
