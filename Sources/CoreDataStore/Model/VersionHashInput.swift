/// What goes into a version hash: text as UTF-8, integers little-endian, nothing between them.
struct VersionHashInput {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func add(optional text: String?) { if let text { add(text) } }

  mutating func add(_ hash: VersionHash) { bytes.append(contentsOf: hash.bytes) }

  mutating func add(byte: UInt8) { bytes.append(byte) }

  mutating func add(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  mutating func add(_ value: Int32) {
    for shift in [0, 8, 16, 24] {
      bytes.append(UInt8(truncatingIfNeeded: value >> Int32(shift)))
    }
  }

  /// The SHA-256 of what was added.
  var hash: VersionHash { VersionHash(of: bytes) }
}
