/// A binary property list put together by hand, well formed or not.
struct RawPropertyList {
  var objects: [[UInt8]]
  var top = 0
  /// Offsets to write instead of the true ones.
  var offsets: [Int]?

  init(_ objects: [[UInt8]], top: Int = 0, offsets: [Int]? = nil) {
    self.objects = objects
    self.top = top
    self.offsets = offsets
  }

  /// Four bytes an offset, two bytes a reference.
  var bytes: [UInt8] {
    var bytes = Array("bplist00".utf8)
    var places: [Int] = []
    for object in objects {
      places.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for place in offsets ?? places { bytes += Self.number(place, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 2]
    let count = (offsets ?? places).count
    return bytes + Self.number(count, 8) + Self.number(top, 8) + Self.number(table, 8)
  }

  /// An array of references.
  static func array(_ references: [Int]) -> [UInt8] {
    [0xaf, 0x12] + number(references.count, 4) + references.flatMap { number($0, 2) }
  }

  /// A dictionary of references.
  static func dictionary(_ keys: [Int], _ values: [Int]) -> [UInt8] {
    [0xdf, 0x12] + number(keys.count, 4) + (keys + values).flatMap { number($0, 2) }
  }

  static func ascii(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + text.utf8 }

  static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

/// Every way to damage a sample: cut after each byte, and each bit turned.
func damaged(_ sample: [UInt8]) -> [[UInt8]] {
  let cuts = sample.indices.map { Array(sample[..<$0]) }
  let flips = sample.indices.flatMap { place in
    (0..<8).map { bit in
      var copy = sample
      copy[place] ^= 1 << bit
      return copy
    }
  }
  return cuts + flips
}
