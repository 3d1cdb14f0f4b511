import Testing

@testable import StorePipeline

@Suite("Blocks of keys")
struct KeyBlocksTests {
  @Test(
    "cover every key once, whatever the keys are",
    arguments: [
      (1...1, 1, 1500), (1...10_000, 10_000, 1500), (7...7_000_003, 10_000, 1500),
      (-40...40, 81, 7), (0...9, 0, 0), (Int64.min...Int64.max, 3, 1),
    ] as [(ClosedRange<Int64>, Int, Int)])
  func cover(keys: ClosedRange<Int64>, objects: Int, atOnce: Int) {
    let blocks = KeyBlocks(keys, objects: objects, atOnce: atOnce)
    var expected = keys.lowerBound
    for number in 0..<blocks.count {
      let block = blocks.keys(of: number)
      #expect(block.lowerBound == expected)
      #expect(blocks.number(of: block.lowerBound) == number)
      #expect(blocks.number(of: block.upperBound) == number)
      expected = block.upperBound &+ 1
    }
    #expect(expected == keys.upperBound &+ 1)
  }

  @Test("hold about as many objects as they should, where the keys have gaps")
  func hold() {
    let blocks = KeyBlocks(1...1_000_000, objects: 20_000, atOnce: 1500)
    #expect(blocks.keys(of: 0).count == 75_000)
    #expect(blocks.count == 14)
  }

  @Test("hold no key outside them")
  func outside() {
    let blocks = KeyBlocks(10...20, objects: 11, atOnce: 4)
    #expect(blocks.number(of: 9) == nil)
    #expect(blocks.number(of: 21) == nil)
  }
}
