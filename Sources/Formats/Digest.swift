package enum Digest {
  /// The algorithms that stores and records use.
  package enum Algorithm: Sendable {
    /// SHA-256: 32 bytes.
    case sha256
    /// SHA-512: 64 bytes.
    case sha512
  }

  /// The SHA-256 of some bytes.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(.sha256, bytes) }

  /// The SHA-512 of some bytes.
  package static func sha512(_ bytes: [UInt8]) -> [UInt8] { digest(.sha512, bytes) }

  private static func digest(_ algorithm: Algorithm, _ bytes: [UInt8]) -> [UInt8] {
    let hasher = Hasher(algorithm)
    hasher.update(bytes)
    return hasher.finish()
  }

  /// A digest of bytes that come a piece at a time.
  package final class Hasher {
    private let state: PlatformDigest

    /// A digest of nothing yet.
    package init(_ algorithm: Algorithm) { state = PlatformDigest(algorithm) }

    package func update(_ bytes: [UInt8]) {
      unsafe bytes.withUnsafeBytes { unsafe state.update($0) }
    }

    /// Adds bytes that lie in memory.
    package func update(_ bytes: UnsafeRawBufferPointer) { unsafe state.update(bytes) }

    /// The digest of everything so far; more may follow.
    package func finish() -> [UInt8] { state.finish() }
  }
}
