import Formats
import Testing

@Suite("Digests")
struct DigestTests {
  // FIPS 180-4's examples: "abc" and the empty message.
  @Test(
    "SHA-256 is the standard's",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
  func sha256(text: String, digest: String) {
    #expect(Hex.encode(Digest.sha256(Array(text.utf8))) == digest)
  }

  @Test("SHA-512 is the standard's")
  func sha512() {
    let expected =
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    #expect(Hex.encode(Digest.sha512(Array("abc".utf8))) == expected)
  }

  @Test("bytes in pieces give the digest of the whole, and finishing does not end it")
  func pieces() {
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
    let hasher = Digest.Hasher(.sha256)
    hasher.update([])
    hasher.update(Array(bytes[..<77]))
    #expect(hasher.finish() == Digest.sha256(Array(bytes[..<77])))
    unsafe bytes[77...].withUnsafeBytes { unsafe hasher.update($0) }
    #expect(hasher.finish() == Digest.sha256(bytes))
    #expect(hasher.finish() == Digest.sha256(bytes))
  }
}
