import Formats
import OperatingSystem
import SQLite
import Testing

@Suite("Digests in the background") struct BackgroundDigestTests {
  /// The digest of a number of pieces, each of which differs, and the digest that they have as one.
  private func digests(
    pieces: Int, ofBytes expected: Int, stack: Int = 512 << 10
  ) -> (found: [UInt8], wanted: [UInt8]) {
    let digest = BackgroundDigest(ofBytes: expected, stack: stack)
    let whole = Digest.Hasher(.sha256)
    var buffer = [UInt8](repeating: 0, count: 4096)
    for piece in 0..<pieces {
      for place in 0..<buffer.count { buffer[place] = UInt8(truncatingIfNeeded: place &* piece) }
      // The last one is shorter, as that of a file may be.
      let count = piece == pieces - 1 ? 1000 : buffer.count
      whole.update(Array(buffer[0..<count]))
      digest.add(&buffer, first: count)
    }
    return (digest.finish(), whole.finish())
  }

  @Test(
    "pieces have the digest of the whole, in the order in which they come",
    arguments: [0, 1, 2, 3, 500])
  func inOrder(pieces: Int) {
    let (found, wanted) = digests(pieces: pieces, ofBytes: 1 << 30)
    #expect(found == wanted)
  }

  @Test("little is digested at once")
  func little() {
    let (found, wanted) = digests(pieces: 3, ofBytes: 10_000)
    #expect(found == wanted)
  }

  @Test("without a thread to be had, the digest is the same")
  func noThread() {
    #expect(throws: ThreadRefusal.self) { try Threads.start(stack: 1 << 60) {} }
    let (found, wanted) = digests(pieces: 50, ofBytes: 1 << 30, stack: 1 << 60)
    #expect(found == wanted)
  }

  @Test("one that is given up keeps no one waiting")
  func givenUp() {
    for pieces in 0..<20 {
      let digest = BackgroundDigest(ofBytes: 1 << 30)
      var buffer = [UInt8](repeating: 1, count: 65_536)
      for _ in 0..<pieces { digest.add(&buffer, first: buffer.count) }
    }
  }
}
