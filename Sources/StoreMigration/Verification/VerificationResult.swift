internal import Formats
internal import SQLite

/// What a verification has found, with the first differences one by one.
package struct VerificationResult: Sendable, Hashable {
  /// The differences, up to the limit.
  package internal(set) var differences: [VerificationDifference] = []
  /// How many there are in all.
  package internal(set) var count = 0
  /// How many of them are of objects that were made or saved after the run.
  package internal(set) var since = 0
  /// How many objects were compared.
  package internal(set) var objects = 0
  private let limit: Int
  /// What a script makes at the places that are listed, by digest.
  private var made: [Place: [UInt8]] = [:]

  private struct Place: Hashable {
    let entity: String
    let key: Int64
    let property: String

    init(_ difference: VerificationDifference) {
      (entity, key, property) = (difference.entity, difference.key, difference.property)
    }
  }

  /// Nothing found yet.
  package init(limit: Int = 100) { self.limit = limit }

  /// Adds a difference, with what a script makes there.
  mutating func add(_ difference: VerificationDifference, made value: Value = .null) {
    count += 1
    since += difference.isSince ? 1 : 0
    guard differences.count < limit else { return }
    differences.append(difference)
    made[Place(difference)] = value.digest
  }

  /// The same differences, where a script that has run again differs elsewhere or otherwise: it did
  /// not repeat itself.
  package func unrepeated(_ again: VerificationResult) -> VerificationResult {
    var result = self
    result.differences = differences.map { difference in
      let place = Place(difference)
      guard again.made[place] != made[place] else { return difference }
      return VerificationDifference(
        .unrepeated, difference.entity, difference.key, difference.property)
    }
    return result
  }

  /// Takes over what another verification found.
  package mutating func add(_ other: VerificationResult) {
    count += other.count
    since += other.since
    objects += other.objects
    differences += other.differences.prefix(max(0, limit - differences.count))
    made.merge(other.made) { first, _ in first }
  }
}

extension Value {
  /// A digest of its kind and bytes.
  fileprivate var digest: [UInt8] {
    switch self {
    case .null: []
    case .integer(let number): Digest.sha256(Array("i\(number)".utf8))
    case .real(let number): Digest.sha256(Array("r\(number.bitPattern)".utf8))
    case .text(let text): Digest.sha256(Array("t".utf8) + text.bytes)
    case .blob(let bytes): Digest.sha256(Array("b".utf8) + bytes)
    }
  }
}
