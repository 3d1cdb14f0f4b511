internal import CoreDataStore
internal import Formats

// The picture as the JSON that programs rely on.
extension FleetPicture {
  /// The document that `pipeline fleet` prints with `--json`.
  package var json: String {
    let document: JSONValue = [
      "format": 1,
      "status": .integer(Int64(status)),
      "count": .count(members.count),
      "bytes": .integer(bytes),
      "versions": .array(versions.map(Self.version)),
      "statuses": .array(
        statuses.map {
          [
            "status": .count($0.status.map(Int.init)), "outcome": .string($0.outcome),
            "count": .count($0.count),
          ]
        }),
      "causes": .array(causes.map(Self.cause)),
      "slowest": .array(
        slowest(Self.most).map {
          [
            "store": .string($0.store), "host": .text($0.host),
            "seconds": Self.seconds($0),
          ]
        }),
      "largest": .array(
        largest(Self.most).map {
          ["store": .string($0.store), "host": .text($0.host), "bytes": Self.bytes($0)]
        }),
      "losses": .array(
        losses.map {
          ["property": .string($0.property), "lost": .count($0.lost), "stores": .count($0.stores)]
        }),
      "uncounted": .count(uncounted),
      "next": .array(
        advice.map { ["words": .string($0.words), "command": .text($0.command)] }),
      "stores": .array(members.map(Self.store)),
      "unread": .texts(unseen + unread),
      "leftOut": .texts(leftOut),
    ]
    return document.text(.pretty)
  }

  /// The document of `pipeline inspect` for many stores; `models` says where the models of unknown
  /// versions were written, by digest.
  package func versionsJSON(models: [String: String]) -> String {
    let unreadable = members.filter { $0.need == .person || $0.need == .repetition }
    let document: JSONValue = [
      "format": 1,
      "count": .count(members.count),
      "bytes": .integer(bytes),
      "versions": .array(
        versions.map { found in
          .object(
            (Self.version(found).members ?? [])
              + [.init("model", .text(found.digest.flatMap { models[$0] }))])
        }),
      "unreadable": .array(
        unreadable.map { ["store": .string($0.store), "error": .text($0.last?.error)] }),
      "leftOut": .texts(leftOut),
    ]
    return document.text(.pretty)
  }

  /// How many of the slowest and largest are listed.
  static let most = 10

  private static func version(_ version: Version) -> JSONValue {
    [
      "version": .string(version.name), "known": .string(version.known.rawValue),
      "digest": .text(version.digest), "count": .count(version.count),
      "bytes": .integer(version.bytes), "example": .string(version.store),
      "host": .text(version.host),
    ]
  }

  private static func cause(_ found: (cause: Cause, count: Int)) -> JSONValue {
    [
      "cause": .string(found.cause.words), "status": .integer(Int64(found.cause.status)),
      "count": .count(found.count), "example": .string(found.cause.store),
      "host": .text(found.cause.host), "remedy": .string(found.cause.remedy),
    ]
  }

  private static func store(_ member: Member) -> JSONValue {
    let last = member.last
    return [
      "store": .string(member.store), "host": .text(member.host), "bytes": bytes(member),
      "version": .text(member.version),
      "digest": .text(member.digest), "status": .count(last?.status.map(Int.init)),
      "outcome": .string(member.outcome),
      "run": .text(last.flatMap { $0.run.isEmpty ? nil : $0.run }),
      "source": .text(last?.source), "target": .text(last?.target),
      "objects": .count(last?.objects), "seconds": seconds(member),
      "warnings": .count(last?.warnings), "rejects": .count(member.rejects),
      "error": .text(last?.error),
    ]
  }

  private static func bytes(_ member: Member) -> JSONValue {
    member.bytes.map(JSONValue.integer) ?? .null
  }

  private static func seconds(_ member: Member) -> JSONValue {
    member.last?.seconds.map(JSONValue.real) ?? .null
  }
}
