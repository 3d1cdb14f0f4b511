internal import CoreDataStore
internal import Foundation
internal import Formats
internal import StoreMigration

/// A value as far as a report shows it.
package enum ReportedValue: Sendable, Hashable {
  /// There is none.
  case none
  /// There is one, which is not to be shown.
  case hidden
  /// There is one, of which only a digest is shown.
  case digest(String)
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// A decimal, by its digits.
  case decimal(String)
  /// Seconds since 2001-01-01 UTC.
  case date(Double)
  case text(String)
  case uuid(String)
  /// Data; `image` is its place among the report's images.
  case data(bytes: Int, sha256: String, kind: ImageKind?, image: Int?)
  /// Data whose file is missing.
  case lost(String)
  /// Something that does not belong into the attribute's column.
  case unexpected(String)

  /// The value in words, on one line.
  package var words: String {
    switch self {
    case .none: "none"
    case .hidden: "hidden"
    case .digest(let digest): "#\(digest)"
    case .boolean(let truth): truth ? "true" : "false"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .decimal(let digits): digits
    case .date(let seconds): Self.date(seconds)
    case .text(let text): "\"\(text.oneLine.withVisibleSpaces)\""
    case .uuid(let text): text
    case .data(let bytes, let sha256, let kind, _):
      "\(kind.map { "\($0.name) image" } ?? "data"), \(Quantity.bytes(bytes)), #\(sha256.prefix(8))"
    case .lost(let name): "file \(name) is missing"
    case .unexpected(let words): words
    }
  }

  /// The moment by ISO 8601, in UTC.
  static func date(_ seconds: Double) -> String {
    // Beyond these years the calendar's text is longer than a person reads.
    guard abs(seconds) < 250_000_000_000 else { return "\(seconds) s after 2001" }
    let isWhole = seconds == seconds.rounded()
    return Date(timeIntervalSinceReferenceDate: seconds)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
  }

  /// The value as the JSON that programs rely on.
  var json: JSONValue {
    switch self {
    case .none: .null
    case .hidden: ["hidden": true]
    case .digest(let digest): ["sha256": .string(digest)]
    case .boolean(let truth): .bool(truth)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .decimal(let digits): .string(digits)
    case .date(let seconds): ["date": .string(Self.date(seconds)), "seconds": .real(seconds)]
    case .text(let text), .uuid(let text): .string(text)
    case .data(let bytes, let sha256, _, _):
      ["bytes": .count(bytes), "sha256": .string(sha256)]
    case .lost(let name): ["missing": .string(name)]
    case .unexpected(let words): ["unexpected": .string(words)]
    }
  }
}

extension String {
  /// The text with no-break spaces where spaces would be lost when lines are broken or shown: at
  /// the ends, and next to other spaces.
  fileprivate var withVisibleSpaces: String {
    guard hasPrefix(" ") || hasSuffix(" ") || contains("  ") else { return self }
    let characters = Array(self)
    let places = characters.indices.map { place in
      let isAlone =
        place > 0 && place < characters.count - 1 && characters[place - 1] != " "
        && characters[place + 1] != " "
      return characters[place] == " " && !isAlone ? "\u{A0}" : characters[place]
    }
    return String(places)
  }
}

/// Turns values of a comparison into what a report shows.
struct ValueReporting {
  let display: ValueDisplay

  /// Both sides of a value; `image` gives small pictures a place.
  func values(
    _ change: ChangedValue, image: (ComparedData, ImageKind) -> Int?
  ) -> (old: ReportedValue, new: ReportedValue) {
    let old = value(change.old, image)
    let new = value(change.new, image)
    guard case .text(let before) = old, case .text(let after) = new else {
      return (cut(old), cut(new))
    }
    let texts = TextWindow.cut(before, after, limit: display.longest)
    return (.text(texts.old), .text(texts.new))
  }

  private func cut(_ value: ReportedValue) -> ReportedValue {
    guard case .text(let text) = value else { return value }
    return .text(TextWindow.cut(text, limit: display.longest))
  }

  private func value(
    _ value: ComparedValue, _ image: (ComparedData, ImageKind) -> Int?
  ) -> ReportedValue {
    guard value.isThere else { return .none }
    switch display {
    case .none: return .hidden
    case .hash: return .digest(String(Self.digest(value).prefix(16)))
    case .full, .short: break
    }
    switch value {
    case .absent: return .none
    case .lost(let name): return .lost(name)
    case .value(let value): return Self.plain(value)
    case .data(let data):
      let kind = data.content.flatMap(ImageKind.init)
      return .data(
        bytes: data.bytes, sha256: Hex.encode(data.sha256), kind: kind,
        image: kind.flatMap { image(data, $0) })
    }
  }

  private static func plain(_ value: AttributeValue) -> ReportedValue {
    switch value {
    case .null: .none
    case .integer(let number): .integer(number)
    case .boolean(let truth): .boolean(truth)
    case .real(let number): .real(number)
    case .decimal(let digits): .decimal(digits)
    case .date(let seconds): .date(seconds)
    case .string(let text), .uri(let text): .text(text)
    case .uuid(let uuid): .uuid(uuid.uuidString)
    case .binary(let bytes), .transformable(let bytes):
      .data(
        bytes: bytes.count, sha256: Hex.encode(Digest.sha256(bytes)), kind: nil, image: nil)
    case .external(let reference): .lost(reference.name)
    case .unexpected(let value): .unexpected("unexpected \(value.kind)")
    }
  }

  private static func digest(_ value: ComparedValue) -> String {
    if case .data(let data) = value { return Hex.encode(data.sha256) }
    if case .value(let value) = value {
      return Hex.encode(Digest.sha256(Array(plain(value).words.utf8)))
    }
    return Hex.encode(Digest.sha256(Array("\(value)".utf8)))
  }
}
