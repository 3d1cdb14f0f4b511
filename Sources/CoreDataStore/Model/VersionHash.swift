internal import Formats

/// The 32 bytes by which Core Data knows one version of an entity.
public struct VersionHash: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// A hash of 32 bytes; nil for any other number.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// The SHA-256 of some bytes.
  package init(of bytes: [UInt8]) { self.bytes = Digest.sha256(bytes) }

  /// The bytes as text, the way Apple's tools print them.
  public var base64: String { Base64.encode(bytes) }

  /// The bytes as text.
  public var description: String { base64 }
}
