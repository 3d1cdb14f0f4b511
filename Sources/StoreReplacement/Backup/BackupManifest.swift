package import CoreDataStore
internal import Formats
internal import OperatingSystem
internal import SQLite

/// The manifest of a backup: JSON with a check sum, written when all other content is on disk.
extension StoreBackup {
  private static let format: Int64 = 1
  /// The manifest's name in the folder.
  static let manifestName = "manifest.json"
  /// A forged length is not added up.
  private static let mostBytes = 0x1p60
  private static let limits = FormatLimits(bytes: 512 << 20, nodes: 16_000_000, depth: 16)

  /// The backup in a folder.
  ///
  /// - Throws: ``Failure`` when there is no manifest, or one that cannot be believed.
  package static func read(_ path: String) throws -> StoreBackup {
    let what = "cannot use the backup"
    let manifest = "\(path)/\(manifestName)"
    func unusable(_ why: String) -> Failure {
      Failure(
        .unusable, what: what, subject: path, why: why, remedy: "Use another backup.")
    }
    let bytes = try replacing(what, manifest) {
      guard let entry = try FileEntry.at(manifest) else {
        throw unusable("It has no \(manifestName): it was not finished, or is no backup.")
      }
      guard entry.isRegular, entry.size <= Int64(limits.bytes) else {
        throw unusable("Its \(manifestName) is no regular file, or too large for one.")
      }
      return try FileSystem.start(of: manifest, count: Int(entry.size)) ?? []
    }
    guard let backup = try? decode(bytes, path: path) else {
      throw unusable("Its \(manifestName) is damaged, or was changed after the backup was made.")
    }
    return backup
  }

  /// Why it is another store's than the one at a place; nil when it is of that one, or when none is
  /// there.
  package func strangeness(to folder: WorkFolder) throws -> String? {
    guard try StoreFiles.isThere(folder.store) else { return nil }
    // Both may have been moved together since.
    let isBeside = FilePlace(path).isWithin(FilePlace(folder.backups))
    guard isBeside || FilePlace(store).isSame(as: FilePlace(folder.store)) else {
      return "The backup is of another store: \(store)."
    }
    // A store that cannot be read is what a backup is for.
    guard let own = try? Store(mainPath, isBrief: true).metadata,
      let other = try? Store(folder.store, isBrief: true).metadata,
      // A run may have given the store a UUID of its own.
      Self.identifiers(of: own).isDisjoint(with: Self.identifiers(of: other))
    else { return nil }
    return "The backup is of another store that was there: its UUID is \(own.uuid), this one's "
      + "\(other.uuid)."
  }

  /// The UUID of a store, and those that runs have replaced.
  static func identifiers(of metadata: Metadata) -> Set<String> {
    Set([metadata.uuid] + metadata.log.compactMap { $0.dictionary?["replaced"]?.string })
  }

  /// The folder of the backup that a place is in, or of a set of them; nil when it is in none.
  ///
  /// A manifest that was damaged is still one: its beginning shows that.
  package static func folder(around place: FilePlace) -> String? { folder(around: [place]) }

  /// The same for several places; a folder that more than one of them is in is looked at once.
  package static func folder(around places: [FilePlace]) -> String? {
    var seen: Set<Text> = []
    return places.flatMap(\.pathWithParents).first { folder in
      seen.insert(Text(folder)).inserted
        && (says(folder, manifestName, ["\"format\"", "\"run\"", "\"date\""])
          || says(folder, BackupSet.listName, ["\"format\"", "\"backups\""]))
    }
  }

  private static func says(_ folder: String, _ name: String, _ words: [String]) -> Bool {
    guard let bytes = try? FileSystem.start(of: "\(folder)/\(name)", count: 512) else {
      return false
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasPrefix("{") && words.allSatisfy(text.contains)
  }

  /// The manifest's bytes.
  static func manifest(
    run: String, date: Int64, store: String, image: PageImage, journal: String, files: [File],
    missing: [MissingExternals]
  ) -> [UInt8] {
    let document = JSONRecord.seal([
      .init("format", .integer(format)), .init("run", .string(run)), .init("date", .integer(date)),
      .init("store", .string(store)), .init("journal", .string(journal)),
      .init("image", JSONRecord.value(image)),
      .init(
        "files",
        .array(
          files.map {
            [
              "name": .string($0.name), "bytes": .integer($0.digest.bytes),
              "sha256": .string($0.digest.sha256),
            ]
          })),
      .init(
        "missing",
        .array(
          missing.map {
            [
              "attribute": .string($0.attribute), "count": .integer(Int64($0.count)),
              "files": .array($0.files.map(JSONValue.string)),
            ]
          })),
    ])
    return Array((document.text(.pretty) + "\n").utf8)
  }

  private static func decode(_ bytes: [UInt8], path: String) throws -> StoreBackup {
    let value = try JSONValue(reading: bytes, limits: limits)
    let record = try JSONRecord(sealed: value)
    let files = try (value["files"]?.array ?? []).map { item in
      let file = try JSONRecord(item)
      return File(
        name: try file.string("name"),
        digest: FileDigest(bytes: try file.integer("bytes"), sha256: try file.string("sha256")))
    }
    let missing = try (value["missing"]?.array ?? []).map { item in
      let record = try JSONRecord(item)
      var missing = MissingExternals(try record.string("attribute"))
      missing.count = Int(clamping: try record.integer("count"))
      missing.files = try record.strings("files")
      return missing
    }
    // Names become paths: none leads out of the folder.
    let areInside = files.allSatisfy { file in
      !file.name.hasPrefix("/") && !file.name.utf8.contains(0)
        && !file.name.split(separator: "/").contains("..")
    }
    let sizes = files.map(\.digest.bytes)
    let areSizes = sizes.allSatisfy { $0 >= 0 } && sizes.reduce(0) { $0 + Double($1) } < mostBytes
    guard try record.integer("format") == format, !files.isEmpty, areInside, areSizes,
      missing.allSatisfy({ $0.count >= 0 })
    else {
      throw JSONRecord.Unusable()
    }
    return StoreBackup(
      path: path, run: try record.string("run"), date: try record.integer("date"),
      store: try record.string("store"), image: try JSONRecord(value["image"]).image(),
      journal: try record.string("journal"), files: files, missing: missing,
      digest: Hex.encode(Digest.sha256(bytes)))
  }
}
