import Formats

/// Numbers that look like chance and are the same whenever an object is made again in a run.
///
/// The seed is a SHA-256; the numbers are those of SplitMix64 (Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", 2014).
struct ScriptRandom {
  private var state: UInt64

  /// The numbers of one object in one run.
  init(run: String, entity: String, key: Int64) {
    let digest = Digest.sha256(Array("\(run)\0\(entity)\0\(key)".utf8))
    state = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, and without, 1: the 53 bits a double has.
  mutating func real() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A whole number of a range.
  mutating func integer(in range: ClosedRange<Int64>) -> Int64 {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    guard width < .max else { return Int64(bitPattern: next()) }
    let count = width + 1
    // The uneven rest is thrown away, or low numbers would come up more often.
    let highest = UInt64.max - (UInt64.max % count + 1) % count
    var number = next()
    while number > highest { number = next() }
    return range.lowerBound &+ Int64(bitPattern: number % count)
  }
}
