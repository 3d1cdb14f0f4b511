import CoreDataStore
import Testing

@Suite("Version hash")
struct VersionHashTests {
  @Test("a hash has 32 bytes", arguments: [(0, false), (31, false), (32, true), (33, false)])
  func size(count: Int, isHash: Bool) {
    #expect((VersionHash(bytes: [UInt8](repeating: 7, count: count)) != nil) == isHash)
  }

  /// The digest is that of FIPS 180-4's first example.
  @Test("it is a SHA-256, printed as base64") func digest() {
    let hash = VersionHash(of: Array("abc".utf8))
    #expect(hash.description == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    #expect(VersionHash(bytes: hash.bytes) == hash)
  }
}
