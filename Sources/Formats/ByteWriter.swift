/// Writes numbers and texts as bytes, for one reader: ``ByteReader``.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  /// Nothing as yet.
  package init() {}

  /// Seven bits a byte, the lowest first; the highest bit says that more follow.
  package mutating func add(_ number: UInt64) {
    var rest = number
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A number that may be negative, those near zero in few bytes.
  package mutating func add(_ number: Int64) {
    add(UInt64(bitPattern: (number << 1) ^ (number >> 63)))
  }

  package mutating func add(_ number: Int) { add(Int64(number)) }

  package mutating func add(_ truth: Bool) { bytes.append(truth ? 1 : 0) }

  package mutating func add(_ number: Double) { add(number.bitPattern) }

  /// A text, its length first.
  package mutating func add(_ text: String) {
    add(UInt64(text.utf8.count))
    bytes += text.utf8
  }

  /// A list, its length first.
  package mutating func add<Item>(_ items: [Item], _ body: (inout ByteWriter, Item) -> Void) {
    add(UInt64(items.count))
    for item in items { body(&self, item) }
  }

  /// Something that may be missing.
  package mutating func add<Item>(_ item: Item?, _ body: (inout ByteWriter, Item) -> Void) {
    add(item != nil)
    if let item { body(&self, item) }
  }
}
