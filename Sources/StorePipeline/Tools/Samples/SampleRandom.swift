/// Numbers that look random and are the same every time: SplitMix64.
struct SampleRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Numbers that the seed determines.
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// One of some things, of which there is one at least.
  mutating func pick<Element>(_ things: [Element]) -> Element {
    things[Int(next() % UInt64(things.count))]
  }
}
