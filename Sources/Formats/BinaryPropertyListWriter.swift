/// Writes a property list as CoreFoundation does: equal scalars once, containers each time.
///
/// The same value always gives the same bytes, because dictionaries are written in the order of
/// their keys.
package struct BinaryPropertyListWriter {
  private enum Object {
    case scalar(PropertyList)
    case array([Int])
    case dictionary([Int])
  }

  private var objects: [Object] = []
  private var numbers: [ScalarIdentity: Int] = [:]
  private let limits: FormatLimits

  private init(limits: FormatLimits) { self.limits = limits }

  /// The bytes of a property list; fails only for one nested deeper than readers allow.
  package static func write(
    _ value: PropertyList, limits: FormatLimits = .propertyList
  ) throws(FormatError) -> [UInt8] {
    var writer = BinaryPropertyListWriter(limits: limits)
    _ = try writer.number(value, level: 1)
    return writer.bytes()
  }

  /// Numbers a value and all below it: a container first, then its keys, then its values.
  private mutating func number(_ value: PropertyList, level: Int) throws(FormatError) -> Int {
    guard level <= limits.depth else {
      throw FormatError(.binaryPropertyList, "nested deeper than \(limits.depth) levels")
    }
    switch value {
    case .array(let elements):
      let index = append(.array([]))
      var references: [Int] = []
      for element in elements { references.append(try number(element, level: level + 1)) }
      objects[index] = .array(references)
      return index
    case .dictionary(let entries):
      let index = append(.dictionary([]))
      let sorted = entries.sorted { $0.key < $1.key }
      var references = sorted.map { scalar(.string($0.key)) }
      for entry in sorted { references.append(try number(entry.value, level: level + 1)) }
      objects[index] = .dictionary(references)
      return index
    default: return scalar(value)
    }
  }

  private mutating func append(_ object: Object) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  private mutating func scalar(_ value: PropertyList) -> Int {
    let identity = ScalarIdentity(value)
    if let known = numbers[identity] { return known }
    let index = append(.scalar(value))
    numbers[identity] = index
    return index
  }

  private func bytes() -> [UInt8] {
    let referenceSize = Self.width(UInt64(objects.count))
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt64] = []
    for object in objects {
      offsets.append(UInt64(bytes.count))
      Self.append(object, referenceSize: referenceSize, to: &bytes)
    }
    let table = UInt64(bytes.count)
    let offsetSize = Self.width(table)
    for offset in offsets { bytes.appendBigEndian(offset, size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [UInt64(objects.count), 0, table] { bytes.appendBigEndian(number, size: 8) }
    return bytes
  }

  private static func append(_ object: Object, referenceSize: Int, to bytes: inout [UInt8]) {
    switch object {
    case .scalar(let value): append(scalar: value, to: &bytes)
    case .array(let references):
      appendMarker(0xa0, length: references.count, to: &bytes)
      for each in references { bytes.appendBigEndian(UInt64(each), size: referenceSize) }
    case .dictionary(let references):
      appendMarker(0xd0, length: references.count / 2, to: &bytes)
      for each in references { bytes.appendBigEndian(UInt64(each), size: referenceSize) }
    }
  }

  private static func append(scalar: PropertyList, to bytes: inout [UInt8]) {
    switch scalar {
    case .null: bytes.append(0x00)
    case .bool(let value): bytes.append(value ? 0x09 : 0x08)
    case .integer(let value): append(integer: value, to: &bytes)
    case .unsigned(let value):
      bytes.append(0x14)
      for half in [0, value] { bytes.appendBigEndian(half, size: 8) }
    case .real(let value):
      bytes.append(0x23)
      bytes.appendBigEndian(value.bitPattern, size: 8)
    case .date(let value):
      bytes.append(0x33)
      bytes.appendBigEndian(value.bitPattern, size: 8)
    case .data(let value):
      appendMarker(0x40, length: value.count, to: &bytes)
      bytes += value
    case .string(let value): append(string: value, to: &bytes)
    case .uid(let value):
      let size = width(value)
      bytes.append(0x80 | UInt8(size - 1))
      bytes.appendBigEndian(value, size: size)
    case .array, .dictionary: break
    }
  }

  private static func append(integer value: Int64, to bytes: inout [UInt8]) {
    let bits = UInt64(bitPattern: value)
    let size = width(bits)
    bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
    bytes.appendBigEndian(bits, size: size)
  }

  private static func append(string: String, to bytes: inout [UInt8]) {
    if string.utf8.allSatisfy({ $0 < 0x80 }) {
      appendMarker(0x50, length: string.utf8.count, to: &bytes)
      bytes += string.utf8
    } else {
      appendMarker(0x60, length: string.utf16.count, to: &bytes)
      for unit in string.utf16 { bytes.appendBigEndian(UInt64(unit), size: 2) }
    }
  }

  private static func appendMarker(_ kind: UInt8, length: Int, to bytes: inout [UInt8]) {
    bytes.append(kind | UInt8(min(length, 15)))
    if length >= 15 { append(integer: Int64(length), to: &bytes) }
  }

  /// The bytes that a number needs: 1, 2, 4 or 8.
  private static func width(_ value: UInt64) -> Int {
    switch value {
    case ...0xff: 1
    case ...0xffff: 2
    case ...0xffff_ffff: 4
    default: 8
    }
  }
}

extension [UInt8] {
  /// Appends the low `size` bytes of a number, the most significant first.
  fileprivate mutating func appendBigEndian(_ value: UInt64, size: Int) {
    for place in (0..<size).reversed() {
      append(UInt8(truncatingIfNeeded: value >> (8 * place)))
    }
  }
}
