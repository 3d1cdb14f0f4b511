/// The version of Core Data that writes a store, `NSPersistenceFrameworkVersion`.
///
/// The numbers are those of real stores; where a rule changed between two that were seen, the
/// older one counts as before the change.
package struct FrameworkVersion: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// The number, 1522 for instance.
  package let number: Int64

  package init(_ number: Int64) { self.number = number }

  package init(integerLiteral value: Int64) { number = value }

  /// The newest one seen, of macOS 26.1.
  package static let newest: Self = 1522

  /// Whether one is older than the other.
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// Whether the store keeps its own model: absent up to 519, there from 637.
  package var keepsModel: Bool { self >= 637 }
  /// Whether the metadata has a digest of the hashes: none up to 866, there from 969.
  package var writesDigest: Bool { self >= 969 }
  /// Whether the metadata has a checksum of the hashes: none up to 1251, there from 1321.
  package var writesChecksum: Bool { self >= 1321 }
  /// Whether the metadata has `NSPersistenceMaximumFrameworkVersion`: seen in 1522.
  package var writesMaximum: Bool { self >= 1522 }
}
