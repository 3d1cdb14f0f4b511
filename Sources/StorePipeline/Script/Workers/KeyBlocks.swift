/// The keys of an entity's objects, cut into blocks of equal span.
///
/// The last block may end beyond the last key. What comes of the objects does not depend on where
/// the cuts are.
struct KeyBlocks: Sendable, Hashable {
  /// The first and the last key.
  let keys: ClosedRange<Int64>
  /// How many keys a block spans, whether or not there are objects of them.
  let span: UInt64

  /// Blocks of about so many objects each, were the keys spread evenly.
  init(_ keys: ClosedRange<Int64>, objects: Int, atOnce: Int) {
    self.keys = keys
    let width = Double(Self.distance(keys.lowerBound, keys.upperBound)) + 1
    let span = width / Double(max(1, objects)) * Double(max(1, atOnce))
    self.span = span < 0x1p62 ? max(1, UInt64(span)) : 1 << 62
  }

  /// How many blocks there are.
  var count: Int { Int(Self.distance(keys.lowerBound, keys.upperBound) / span) + 1 }

  /// The block that a key is in; nil for a key outside all of them.
  func number(of key: Int64) -> Int? {
    guard keys.contains(key) else { return nil }
    return Int(Self.distance(keys.lowerBound, key) / span)
  }

  func keys(of number: Int) -> ClosedRange<Int64> {
    let start = UInt64(number) * span
    let most = Self.distance(keys.lowerBound, keys.upperBound)
    let end = most - start < span ? most : start + span - 1
    let first = keys.lowerBound
    return (first &+ Int64(bitPattern: start))...(first &+ Int64(bitPattern: end))
  }

  /// From a key up to another one; it may be more than an Int64 holds.
  private static func distance(_ from: Int64, _ to: Int64) -> UInt64 {
    UInt64(bitPattern: to &- from)
  }
}
