/// Numbers that look random and are the same every time: SplitMix64.
package struct SampleRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// One of some things, of which there is one at least.
  package mutating func pick<Element>(_ things: [Element]) -> Element {
    things[Int(next() % UInt64(things.count))]
  }

  /// Bytes from the numbers that come next.
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) }
  }
}
