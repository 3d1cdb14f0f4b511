import Foundation
import OperatingSystem
@testable import StoreReplacement
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("The digest of a file", .temporaryFolder) struct FileDigestTests {
  @Test("a file has the digest of its bytes", arguments: [0, 1, 1 << 20, (1 << 20) + 1, 3_000_000])
  func digest(length: Int) throws {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let path = samplePath("a")
    try Data(bytes).write(to: URL(filePath: path))
    let digest = try FileDigest(ofFile: path)
    #expect(digest == FileDigest(of: bytes[...]))
    #expect(digest.bytes == Int64(length))
  }

  @Test("the digest is SHA-256") func known() {
    #expect(
      FileDigest(of: Array("abc".utf8)[...]).sha256
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("what is no regular file has none") func folder() {
    #expect(throws: SystemError.self) { try FileDigest(ofFile: TemporaryFolder.url.path) }
  }
}
