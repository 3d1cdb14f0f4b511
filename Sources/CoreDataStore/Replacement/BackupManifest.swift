internal import Formats
internal import SQLite

/// The manifest of a backup: JSON with a check sum, written when everything else is on disk.
extension StoreBackup {
  private static let format: Int64 = 1
  /// The manifest's name in the folder.
  static let manifestName = "manifest.json"
  private static let limits = FormatLimits(bytes: 512 << 20, nodes: 16_000_000, depth: 16)

  /// The backup in a folder.
  ///
  /// - Throws: ``StoreError`` when there is no manifest, or one that cannot be believed.
  package static func read(_ path: String) throws -> StoreBackup {
    let what = "cannot use the backup"
    let manifest = "\(path)/\(manifestName)"
    let bytes = try replacing(what, manifest) {
      let entry = try FileEntry.at(manifest)
      guard let entry, entry.isRegular, entry.size <= Int64(limits.bytes) else { return [UInt8]() }
      return try FileSystem.start(of: manifest, count: Int(entry.size)) ?? []
    }
    guard let backup = try? decode(bytes, path: path) else {
      throw StoreError(
        .unusable, what: what, subject: path,
        why: "It has no manifest, or one that is damaged: it was not finished.",
        remedy: "Use another backup.")
    }
    return backup
  }

  /// The manifest's bytes.
  static func manifest(
    run: String, date: Int64, store: String, image: PageImage, journal: String, files: [File]
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
    // Names become paths: none leads out of the folder.
    let areInside = files.allSatisfy { file in
      !file.name.hasPrefix("/") && !file.name.utf8.contains(0)
        && !file.name.split(separator: "/").contains("..")
    }
    guard try record.integer("format") == format, !files.isEmpty, areInside else {
      throw JSONRecord.Unusable()
    }
    return StoreBackup(
      path: path, run: try record.string("run"), date: try record.integer("date"),
      store: try record.string("store"), image: try JSONRecord(value["image"]).image(),
      journal: try record.string("journal"), files: files,
      digest: Hex.encode(Digest.sha256(bytes)))
  }
}
