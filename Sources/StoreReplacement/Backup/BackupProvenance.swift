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
  package static func keep(_ record: String, in backup: String) throws {
    let path = "\(BackupProvenance.folder(in: backup))/\(name)"
    try replacing("cannot write the run's record", path) {
      try FileSystem.makeFolder(BackupProvenance.folder(in: backup))
      try FileMoves.write(Array(record.utf8), to: path)
    }
  }
}

extension WorkFolder {
  /// Leaves what is to be said of the run in its folder.
  package func leave(record: String) throws {
    let path = path + "/" + KeptRecord.name
    try replacing("cannot write the run's record", path) {
      try FileMoves.write(Array(record.utf8), to: path)
    }
  }
}

extension BackupProvenance {
  /// The folder in a backup: no file of a store is called so.
  static func folder(in backup: String) -> String { "\(backup)/pipeline-run" }

  /// Notes in the run's folder what the run is made from; the staged store is whole.
  ///
  /// - Throws: ``Failure`` when it cannot be written.
  package mutating func write(_ folder: WorkFolder) throws {
    try replacing(Self.what, folder.nextPath) {
      highestKeys = try Self.highestKeys(folder.nextPath)
      associations = [:]
      for name in try folder.associationNames() {
        associations[name] = try FileDigest(ofFile: "\(folder.path)/\(name)")
      }
      try FileMoves.write(bytes, to: "\(folder.path)/\(Self.fileName)")
    }
  }

  private static let what = "cannot keep what the run was made from"

  private static func highestKeys(_ path: String) throws -> [String: Int64] {
    let connection = try Connection(path: path, mode: .foreign)
    defer { try? connection.close() }
    let rows = try connection.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY")
    let pairs = rows.compactMap { row in row[0].string.map { ($0, row[1].integer ?? 0) } }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Puts what a run's folder says of the run with a backup; the note comes last.
  ///
  /// A run that has noted nothing, as one that puts a backup back, keeps nothing.
  static func keep(_ folder: WorkFolder, run: String, in backup: String) throws {
    guard let kept = try? read(in: folder.path), kept.run == run else { return }
    let place = Self.folder(in: backup)
    try replacing(what, place) {
      if try FileEntry.at("\(place)/\(fileName)") != nil { return }
      try FileSystem.makeFolder(place)
      for name in kept.associations.keys.sorted() {
        try FileMoves.remove("\(place)/\(name)")
        try FileSystem.clone("\(folder.path)/\(name)", to: "\(place)/\(name)")
        try FileSystem.sync("\(place)/\(name)")
      }
      try FileMoves.write(kept.bytes, to: "\(place)/\(fileName)")
      try FileSystem.sync(folderOf: place)
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
