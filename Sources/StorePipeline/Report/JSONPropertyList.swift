internal import Foundation
internal import Formats

// How values of property lists stand in JSON.

extension PropertyList {
  /// The value; bytes by number and digest, dates by their name and the number that is stored.
  var json: JSONValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .unsigned(let value), .uid(let value): .string(String(value))
    case .real(let value): .real(value)
    case .date(let value): Self.date(value)
    case .data(let bytes):
      ["bytes": .count(bytes.count), "sha256": .string(Hex.encode(Digest.sha256(bytes)))]
    case .string(let value): .string(value)
    case .array(let values): .array(values.map(\.json))
    case .dictionary(let values): Self.object(values, \.json)
    }
  }

  /// A dictionary whose bytes are version hashes.
  var hashes: JSONValue {
    guard let dictionary else { return json }
    return Self.object(dictionary) { $0.data.map { .string(Base64.encode($0)) } ?? $0.json }
  }

  private static func object(
    _ values: [String: PropertyList], _ json: (PropertyList) -> JSONValue
  ) -> JSONValue {
    .object(values.sorted { $0.key < $1.key }.map { .init($0.key, json($0.value)) })
  }

  private static func date(_ seconds: Double) -> JSONValue {
    let text = Date(timeIntervalSinceReferenceDate: seconds)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return ["date": .string(text), "seconds": .real(seconds)]
  }
}

extension PropertyList {
  /// What the value is and how large, without its content.
  var kindWords: String {
    switch size {
    case (let kind, let number, true): "\(kind), \(Quantity.bytes(number))"
    case (let kind, let number, false): "\(kind), \(Plural.text(number, "entry"))"
    case (let kind, _, nil): kind
    }
  }

  var kindJSON: JSONValue {
    switch size {
    case (let kind, let number, true): ["type": .string(kind), "bytes": .count(number)]
    case (let kind, let number, false): ["type": .string(kind), "count": .count(number)]
    case (let kind, _, nil): ["type": .string(kind)]
    }
  }

  /// The kind, a number, and whether it counts bytes or entries; nil when there is none to count.
  private var size: (String, Int, Bool?) {
    switch self {
    case .null: ("null", 0, nil)
    case .bool: ("boolean", 0, nil)
    case .integer, .unsigned, .uid, .real: ("number", 0, nil)
    case .date: ("date", 0, nil)
    case .data(let bytes): ("data", bytes.count, true)
    case .string(let text): ("string", text.utf8.count, true)
    case .array(let values): ("array", values.count, false)
    case .dictionary(let values): ("dictionary", values.count, false)
    }
  }
}
