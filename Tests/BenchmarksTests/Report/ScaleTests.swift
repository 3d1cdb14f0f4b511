import Testing

@testable import Benchmarks

@Suite("A scale of factors") struct ScaleTests {
  @Test("goes from a power of ten to another, and equal factors are equal steps")
  func places() {
    let scale = Scale(of: [0.3, 20], on: 100...400)
    #expect(scale.marks == [0.1, 1, 10, 100])
    #expect(scale.place(0.1) == 100)
    #expect(abs(scale.place(1) - 200) < 1e-9)
    #expect(scale.place(100) == 400)
  }

  @Test("holds what is outside, and takes nothing that has no logarithm")
  func outside() {
    let scale = Scale(of: [0, -1, .infinity, .nan], on: 0...10)
    #expect(scale.marks == [1, 10])
    #expect(scale.place(0) == 0)
    #expect(scale.place(1e9) == 10)
  }
}
