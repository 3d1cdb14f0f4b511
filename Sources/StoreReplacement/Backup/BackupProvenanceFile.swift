internal import CoreDataStore
internal import Formats
internal import OperatingSystem
internal import SQLite

/// The file of what a run was made from: JSON with a check sum.
extension BackupProvenance {
  private static let format: Int64 = 1
  static let fileName = "run.json"
  private static let limits = FormatLimits(bytes: 16 << 20, nodes: 1_000_000, depth: 32)

  /// The file's bytes.
  var bytes: [UInt8] {
    func members<Value>(
      _ values: [String: Value], _ value: (Value) -> JSONValue
    ) -> JSONValue {
      .object(values.sorted { $0.key < $1.key }.map { .init($0.key, value($0.value)) })
    }
    let document = JSONRecord.seal([
      .init("format", .integer(Self.format)), .init("run", .string(run)),
      .init("basis", .string(basis)), .init("target", .string(target)),
      .init("pipeline", .string(pipeline)),
      .init("acceptedLosses", .array(acceptedLosses.map(JSONValue.string))),
      .init("forced", .bool(isForced)), .init("saved", .bool(isSaved)),
      .init("digests", members(digests, JSONValue.string)),
      .init("image", JSONRecord.value(image)),
      .init("highestKeys", members(highestKeys, JSONValue.integer)),
      .init(
        "associations",
        members(associations) { ["bytes": .integer($0.bytes), "sha256": .string($0.sha256)] }),
    ])
    return Array((document.text(.pretty) + "\n").utf8)
  }

  /// What a folder says of a run; nil when it says nothing.
  ///
  /// - Throws: ``Failure`` when what it says cannot be believed.
  package static func read(in folder: String) throws -> BackupProvenance? {
    let path = "\(folder)/\(fileName)"
    let what = "cannot use what was kept of the run"
    let bytes = try replacing(what, path) { try FileSystem.record(path, most: limits.bytes) }
    guard let bytes else { return nil }
    guard let kept = try? decode(JSONValue(reading: bytes, limits: limits)) else {
      throw Failure(
        .unusable, what: what, subject: path,
        why: "The file is damaged, or of another version of this program.",
        remedy: "Without it there is no record of what the run was made from.")
    }
    return kept
  }

  private static func decode(_ value: JSONValue) throws -> BackupProvenance {
    let record = try JSONRecord(sealed: value)
    guard try record.integer("format") == format else { throw JSONRecord.Unusable() }
    var kept = BackupProvenance(
      run: try record.string("run"), basis: try record.string("basis"),
      target: try record.string("target"), pipeline: try record.string("pipeline"),
      image: try JSONRecord(value["image"]).image())
    kept.acceptedLosses = try record.strings("acceptedLosses")
    kept.isForced = value["forced"]?.bool ?? false
    kept.isSaved = value["saved"]?.bool ?? false
    for member in value["digests"]?.members ?? [] {
      kept.digests[member.name] = member.value.string
    }
    for member in value["highestKeys"]?.members ?? [] {
      kept.highestKeys[member.name] = member.value.integer
    }
    for member in value["associations"]?.members ?? [] {
      // Names become paths.
      guard !member.name.contains("/") else { throw JSONRecord.Unusable() }
      let file = try JSONRecord(member.value)
      kept.associations[member.name] = FileDigest(
        bytes: try file.integer("bytes"), sha256: try file.string("sha256"))
    }
    return kept
  }
}
