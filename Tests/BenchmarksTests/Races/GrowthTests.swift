import Testing

@testable import Benchmarks

@Suite("Growth") struct GrowthTests {
  @Test("the migration that grows most counts, from the smallest store to the largest")
  func ratio() {
    let growth = Growth(points: [
      Growth.Point(migration: "M1", size: 10, share: [2, 2, 2], peak: 1),
      Growth.Point(migration: "M1", size: 100, share: [9, 9, 9], peak: 1),
      Growth.Point(migration: "M1", size: 1000, share: [2, 3, 4], peak: 1),
      Growth.Point(migration: "M2", size: 10, share: [4, 4, 4], peak: 1),
      Growth.Point(migration: "M2", size: 1000, share: [4, 4, 4], peak: 1),
    ])
    #expect(growth.migrations == ["M1", "M2"])
    #expect(growth.ratio == Spread(of: [1, 1.5, 2]))
  }

  @Test("one size tells nothing")
  func one() {
    let point = Growth.Point(migration: "M1", size: 10, share: [1], peak: 1)
    #expect(Growth(points: [point]).ratio == nil)
  }
}
