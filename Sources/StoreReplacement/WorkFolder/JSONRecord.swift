internal import CoreDataStore
internal import Formats
internal import OperatingSystem
internal import SQLite

/// Reads and writes the parts of the JSON files that a replacement leaves: each has a check sum.
struct JSONRecord {
  /// What is there is not what was written.
  struct Unusable: Error {}

  private let value: JSONValue

  init(_ value: JSONValue?) throws {
    guard let value, value.members != nil else { throw Unusable() }
    self.value = value
  }

  /// Takes a document whose last member is the check sum of the others.
  init(sealed value: JSONValue) throws {
    try self.init(value)
    guard let members = value.members, let last = members.last, last.name == Self.checkName,
      last.value.string == Self.check(Array(members.dropLast()))
    else { throw Unusable() }
  }

  private static let checkName = "check"

  /// A document with the check sum of its members.
  static func seal(_ members: [JSONValue.Member]) -> JSONValue {
    .object(members + [.init(checkName, .string(check(members)))])
  }

  private static func check(_ members: [JSONValue.Member]) -> String {
    Hex.encode(Digest.sha256(Array(JSONValue.object(members).text(isData: true).utf8)))
  }

  func string(_ name: String) throws -> String { try some(value[name]?.string) }

  func integer(_ name: String) throws -> Int64 { try some(value[name]?.integer) }

  func strings(_ name: String) throws -> [String] {
    try some(value[name]?.array).map { try some($0.string) }
  }

  /// A member that may be null.
  func optional<Result>(_ name: String, _ read: (JSONRecord) throws -> Result) throws -> Result? {
    guard let member = value[name], member != .null else { return nil }
    return try read(JSONRecord(member))
  }

  private func some<Result>(_ result: Result?) throws -> Result {
    guard let result else { throw Unusable() }
    return result
  }
}

// The parts that more than one file has.
extension JSONRecord {
  static func value(_ identity: FileIdentity) -> JSONValue {
    [
      "device": .integer(Int64(bitPattern: identity.device)),
      "inode": .integer(Int64(bitPattern: identity.inode)),
    ]
  }

  func identity() throws -> FileIdentity {
    FileIdentity(
      device: UInt64(bitPattern: try integer("device")),
      inode: UInt64(bitPattern: try integer("inode")))
  }

  static func value(_ image: PageImage) -> JSONValue {
    [
      "sha256": .string(Hex.encode(image.sha256)), "pageSize": .integer(Int64(image.pageSize)),
      "pageCount": .integer(Int64(image.pageCount)),
    ]
  }

  func image() throws -> PageImage {
    PageImage(
      sha256: try Hex.decode(string("sha256")), pageSize: Int(try integer("pageSize")),
      pageCount: Int(try integer("pageCount")))
  }

  static func value(_ source: SourceRecord) -> JSONValue {
    let stamp = source.stamp
    return [
      "image": value(source.image), "journal": .string(source.journal),
      "file": value(stamp.identity), "size": .integer(stamp.size),
      "modified": .integer(stamp.modified), "changed": .integer(stamp.changed),
      "changeCounter": .integer(Int64(stamp.changeCounter)),
      "walSalts": .string(Hex.encode(stamp.walSalts)), "walSize": .integer(stamp.walSize),
      "walModified": .integer(stamp.walModified),
    ]
  }

  func source() throws -> SourceRecord {
    let stamp = Stamp(
      identity: try JSONRecord(value["file"]).identity(), size: try integer("size"),
      modified: try integer("modified"), changed: try integer("changed"),
      changeCounter: UInt32(truncatingIfNeeded: try integer("changeCounter")),
      walSalts: try Hex.decode(string("walSalts")), walSize: try integer("walSize"),
      // A run that an earlier version began has none: what it copied is compared page for page.
      walModified: value["walModified"]?.integer ?? 0)
    return SourceRecord(
      image: try JSONRecord(value["image"]).image(), stamp: stamp, journal: try string("journal"))
  }
}
