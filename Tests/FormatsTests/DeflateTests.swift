import Formats
import Testing

@Suite("Raw deflate data")
struct DeflateTests {
  @Test("what was compressed comes back", arguments: [0, 1, 1000, 65_536, 300_000])
  func roundTrip(count: Int) throws {
    var seed: UInt32 = 1
    let bytes = (0..<count).map { place -> UInt8 in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return place % 3 == 0 ? UInt8(seed >> 24) : 7
    }
    let small = try Deflate.compress(bytes)
    #expect(try Deflate.inflate(small, limit: count) == bytes)
  }

  @Test("a stored block, as the standard writes it, is read")
  func stored() throws {
    #expect(try Deflate.inflate([1, 2, 0, 0xfd, 0xff, 104, 105], limit: 10) == [104, 105])
  }

  @Test("data that would fill the memory is refused at the limit")
  func bomb() throws {
    let zeros = try Deflate.compress([UInt8](repeating: 0, count: 10 << 20))
    let error = #expect(throws: FormatError.self) { try Deflate.inflate(zeros, limit: 1 << 20) }
    #expect(error?.problem == "larger than 1 MB")
    #expect(throws: FormatError.self) { try Deflate.inflate(zeros, limit: 10 << 20 - 1) }
  }

  @Test("bytes after the end are refused unless they are allowed")
  func trailing() throws {
    let bytes = try Deflate.compress([1, 2, 3]) + [9]
    #expect(throws: FormatError.self) { try Deflate.inflate(bytes, limit: 10) }
    #expect(try Deflate.inflate(bytes, limit: 10, allowTrailing: true) == [1, 2, 3])
  }

  @Test("every truncation is an error, and every bit turned an error or a value")
  func damage() throws {
    let text = Array("a store holds a store holds a store of things".utf8)
    let sample = try Deflate.compress(text)
    let outcomes = damaged(sample).map { try? Deflate.inflate($0, limit: 1 << 16) }
    #expect(outcomes.prefix(sample.count).allSatisfy { $0 == nil })
    #expect(outcomes.contains { $0 != nil && $0 != text })
    #expect(throws: FormatError(.deflate, "cut short", at: .byte(0))) {
      try Deflate.inflate([], limit: 10)
    }
  }
}
