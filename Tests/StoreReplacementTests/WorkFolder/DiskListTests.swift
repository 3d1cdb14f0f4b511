import CoreDataStore
import Foundation
import StoreReplacement
import Testing

@Suite("Spools")
struct DiskListTests {
  @Test(
    "what was written is read again, from memory and from the file behind it",
    arguments: [
      10, 300_000, 1_000_000,
    ])
  func written(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let list = DiskList()
    for start in stride(from: 0, to: count, by: 70_000) {
      try list.append(bytes[start..<min(count, start + 70_000)])
    }
    #expect(list.count == Int64(count))
    var read: [UInt8] = []
    try list.forEachPiece { read += $0 }
    #expect(read == bytes)
    #expect(try list.read(5, at: Int64(count - 3)) == Array(bytes.suffix(3)))
    #expect(try list.read(5, at: Int64(count)).isEmpty)
  }

  @Test("it leaves no name behind, even while it is in use")
  func nameless() throws {
    let list = DiskList()
    try list.append(Array(repeating: 1, count: 600_000))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: FileManager.default.temporaryDirectory.path)
    #expect(!names.contains { $0.hasPrefix("pipeline-spool-") })
    #expect(try list.read(1, at: 0) == [1])
  }
}
