import Testing

@testable import Benchmarks

@Suite("Spread") struct SpreadTests {
  @Test(
    "the median stands in the middle, of an even number between two",
    arguments: [
      ([3, 1, 2], 2, 1, 3), ([4, 1, 3, 2], 2.5, 1, 4), ([7], 7, 7, 7),
    ])
  func median(_ numbers: [Double], _ median: Double, _ min: Double, _ max: Double) throws {
    let spread = try #require(Spread(of: numbers))
    #expect(spread.median == median)
    #expect(spread.min == min)
    #expect(spread.max == max)
  }

  @Test("there is none of nothing")
  func nothing() {
    let nothing: [Double] = []
    #expect(Spread(of: nothing) == nil)
    #expect(Spread.ratios([], over: [1]) == nil)
  }

  @Test("ratios are made round by round, before their median")
  func ratios() throws {
    // Of the sums it would be 1.
    let spread = try #require(Spread.ratios([1, 10, 9], over: [10, 1, 9]))
    #expect(spread.median == 1)
    #expect(spread.min == 0.1)
    #expect(spread.max == 10)
    #expect(Spread.ratios([1, 1], over: [0, 2])?.median == 0.5)
  }
}
