/// Reads what ``ByteWriter`` has written; bytes that it has not written end in an error.
package struct ByteReader {
  /// There are other bytes than were written.
  package struct Damage: Error {
    /// An error.
    package init() {}
  }

  /// What is not read yet.
  package private(set) var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  package mutating func byte() throws(Damage) -> UInt8 {
    guard let byte = rest.popFirst() else { throw Damage() }
    return byte
  }

  /// A number from 0 on.
  package mutating func unsigned() throws(Damage) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      let byte = try byte()
      number |= UInt64(byte & 0x7f) << UInt64(shift)
      if byte & 0x80 == 0 { return number }
    }
    throw Damage()
  }

  /// A number that may be negative.
  package mutating func integer() throws(Damage) -> Int64 {
    let number = try unsigned()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// A number of this machine.
  package mutating func count() throws(Damage) -> Int {
    guard let count = Int(exactly: try integer()) else { throw Damage() }
    return count
  }

  package mutating func truth() throws(Damage) -> Bool { try byte() == 1 }

  /// A number by its bits.
  package mutating func real() throws(Damage) -> Double { Double(bitPattern: try unsigned()) }

  package mutating func text() throws(Damage) -> String {
    guard let bytes = bytes(try unsigned()) else { throw Damage() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// So many bytes as they are; nil when there are fewer.
  package mutating func bytes(_ count: UInt64) -> ArraySlice<UInt8>? {
    guard let count = Int(exactly: count), count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  package mutating func list<Item>(
    _ body: (inout ByteReader) throws(Damage) -> Item
  ) throws(Damage) -> [Item] {
    guard let count = Int(exactly: try unsigned()), count <= rest.count else { throw Damage() }
    var items: [Item] = []
    for _ in 0..<count { items.append(try body(&self)) }
    return items
  }

  /// Something that may be missing.
  package mutating func optional<Item>(
    _ body: (inout ByteReader) throws(Damage) -> Item
  ) throws(Damage) -> Item? {
    try truth() ? try body(&self) : nil
  }
}
