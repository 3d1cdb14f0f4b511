/// A binary property list, read lazily: objects are decoded when asked for, by their number.
///
/// Everything that could be wrong with the bytes is found when the value is made, in one pass over
/// the objects. Asking afterwards cannot fail, and a cycle of references does no harm to a caller
/// that keeps track of the numbers seen. The format is that of CoreFoundation's CFBinaryPList.c: a
/// header, the objects, a table of their offsets, and a trailer of 32 bytes.
package struct BinaryPropertyList: Sendable {
  /// One object; what containers hold are the numbers of other objects.
  package enum Node: Equatable, Sendable {
    /// Null, a truth value, a number, a date, bytes, text or a UID.
    case scalar(PropertyList)
    /// The elements' numbers.
    case array([Int])
    /// The numbers of the keys, and at the same place those of the values.
    case dictionary(keys: [Int], values: [Int])
  }

  /// How many objects there are.
  package let count: Int
  /// The number of the object that holds all others.
  package let top: Int
  let limits: FormatLimits
  private let bytes: [UInt8]
  private let trailer: Trailer

  /// Whether bytes begin as a binary property list does.
  package static func claims(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist0".utf8) }

  /// Checks the whole of `bytes`, and keeps them.
  package init(
    _ bytes: [UInt8], limits: FormatLimits = .propertyList
  ) throws(FormatError) {
    guard Self.claims(bytes) else { throw Self.failure("does not begin with bplist0", 0) }
    guard bytes.count <= limits.bytes else {
      throw Self.failure("larger than \(ByteSize.text(limits.bytes))", nil)
    }
    trailer = try Trailer(bytes)
    count = trailer.count
    top = trailer.top
    self.bytes = bytes
    self.limits = limits
    try checkObjects()
  }

  /// The object with a number below `count`.
  package func node(_ index: Int) -> Node {
    guard let (kind, body) = object(index) else { return .scalar(.null) }
    switch kind {
    case .array: return .array(references(body))
    case .dictionary:
      let middle = body.lowerBound + body.count / 2
      return .dictionary(
        keys: references(body.lowerBound..<middle), values: references(middle..<body.upperBound))
    default: return .scalar((try? scalar(kind, body)) ?? .null)
    }
  }

  /// The number of the value that a dictionary has for a key, without decoding anything else.
  package func value(of key: String, in dictionary: Int) -> Int? {
    guard let (kind, body) = object(dictionary), kind == .dictionary else { return nil }
    let half = body.count / 2
    for place in stride(from: 0, to: half, by: trailer.referenceSize)
    where isString(reference(at: body.lowerBound + place), key) {
      return reference(at: body.lowerBound + half + place)
    }
    return nil
  }

  /// The whole below an object (by default everything), every shared value unfolded.
  package func value(_ index: Int? = nil) throws(FormatError) -> PropertyList {
    var budget = FormatBudget(limits, for: .binaryPropertyList)
    return try unfold(index ?? top, level: 1, &budget)
  }

  /// The bytes of an object, without those of the objects that it refers to.
  func size(_ index: Int) -> Int { object(index)?.body.count ?? 0 }

  /// Whether an object is an array.
  func isArray(_ index: Int) -> Bool { object(index)?.kind == .array }

  /// The number that a UID object holds, nil for all others.
  func uid(_ index: Int) -> UInt64? {
    guard let (kind, body) = object(index), kind == .uid else { return nil }
    return unsigned(body)
  }

  /// The objects that a container refers to, at most `limit`; a dictionary's keys come first.
  func references(from index: Int, limit: Int = .max) -> [Int] {
    guard let (kind, body) = object(index), kind == .array || kind == .dictionary else { return [] }
    let count = min(body.count / trailer.referenceSize, limit)
    return references(body.lowerBound..<body.lowerBound + count * trailer.referenceSize)
  }
}

// Unfolding.
extension BinaryPropertyList {
  private func unfold(
    _ index: Int, level: Int, _ budget: inout FormatBudget
  ) throws(FormatError) -> PropertyList {
    try budget.spend(size: size(index), level: level)
    switch node(index) {
    case .scalar(let value): return value
    case .array(let elements):
      var values: [PropertyList] = []
      for element in elements { values.append(try unfold(element, level: level + 1, &budget)) }
      return .array(values)
    case .dictionary(let keys, let values):
      var entries: [String: PropertyList] = [:]
      for (key, value) in zip(keys, values) {
        try budget.spend(size: size(key), level: level + 1)
        let name = try self.key(key)
        let value = try unfold(value, level: level + 1, &budget)
        guard entries.updateValue(value, forKey: name) == nil else {
          throw Self.failure("a dictionary has the same key twice", trailer.offset(index, bytes))
        }
      }
      return .dictionary(entries)
    }
  }

  private func key(_ index: Int) throws(FormatError) -> String {
    if case .scalar(.string(let name)) = node(index) { return name }
    throw Self.failure("a dictionary's key is not a string", trailer.offset(index, bytes))
  }
}

// Checking.
extension BinaryPropertyList {
  /// Decodes every object once.
  ///
  /// A writer gives each object bytes of its own. Objects that overlap are refused: with them a
  /// small file could hold many large arrays, and reading each once would take quadratic time.
  private func checkObjects() throws(FormatError) {
    var room = trailer.table - Trailer.header
    for index in 0..<count {
      let offset = trailer.offset(index, bytes)
      guard offset >= Trailer.header, offset < trailer.table else {
        throw Self.failure("object \(index) lies outside the list", offset)
      }
      let (kind, body) = try extent(at: offset)
      room -= body.upperBound - offset
      guard room >= 0 else { throw Self.failure("objects overlap", offset) }
      try check(kind, body)
    }
  }

  private func check(_ kind: Kind, _ body: Range<Int>) throws(FormatError) {
    guard kind == .array || kind == .dictionary else {
      _ = try scalar(kind, body)
      return
    }
    for place in stride(from: body.lowerBound, to: body.upperBound, by: trailer.referenceSize)
    where unsigned(place..<place + trailer.referenceSize) >= UInt64(count) {
      throw Self.failure("a reference to an object that is not there", place)
    }
  }

  /// The kind and the bytes of the object at an offset.
  private func extent(at offset: Int) throws(FormatError) -> (kind: Kind, body: Range<Int>) {
    let marker = bytes[offset]
    guard let kind = Kind(marker: marker) else {
      throw Self.failure("an object of an unknown kind", offset)
    }
    var start = offset + 1
    var length = Int(marker & 0x0f)
    if kind.hasLength, length == 15 { (length, start) = try longLength(at: start) }
    let unit = kind.unit(referenceSize: trailer.referenceSize)
    let (size, overflow) = kind.size(length, unit: unit)
    guard !overflow, size <= trailer.table - start else {
      throw Self.failure("an object reaches past the end", offset)
    }
    return (kind, start..<start + size)
  }

  /// A length that did not fit into the marker is an integer object of its own.
  private func longLength(at offset: Int) throws(FormatError) -> (length: Int, next: Int) {
    let size = 1 << Int(bytes[offset] & 0x0f)
    guard bytes[offset] >> 4 == 1, size <= 8, size < trailer.table - offset,
      let length = Int(exactly: unsigned(offset + 1..<offset + 1 + size))
    else { throw Self.failure("a length that cannot be", offset) }
    return (length, offset + 1 + size)
  }

  private static func failure(_ problem: String, _ offset: Int?) -> FormatError {
    FormatError(.binaryPropertyList, problem, at: offset.map(FormatError.Place.byte))
  }
}

// Decoding.
extension BinaryPropertyList {
  private func object(_ index: Int) -> (kind: Kind, body: Range<Int>)? {
    guard index >= 0, index < count else { return nil }
    return try? extent(at: trailer.offset(index, bytes))
  }

  private func reference(at offset: Int) -> Int {
    Int(truncatingIfNeeded: unsigned(offset..<offset + trailer.referenceSize))
  }

  private func references(_ body: Range<Int>) -> [Int] {
    stride(from: body.lowerBound, to: body.upperBound, by: trailer.referenceSize)
      .map(reference(at:))
  }

  private func unsigned(_ range: Range<Int>) -> UInt64 { bytes.bigEndian(range) }

  private func isString(_ index: Int, _ text: String) -> Bool {
    guard let (kind, body) = object(index) else { return false }
    switch kind {
    case .ascii: return body.count == text.utf8.count && bytes[body].elementsEqual(text.utf8)
    case .utf16:
      // The length first: a dictionary may have very many keys that are one very long string.
      return body.count == 2 * text.utf16.count && utf16(body).utf8.elementsEqual(text.utf8)
    default: return false
    }
  }

  /// An unpaired surrogate becomes U+FFFD, as everywhere in Swift.
  private func utf16(_ body: Range<Int>) -> String {
    String(
      decoding: stride(from: body.lowerBound, to: body.upperBound, by: 2).lazy
        .map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }, as: UTF16.self)
  }

  private func scalar(_ kind: Kind, _ body: Range<Int>) throws(FormatError) -> PropertyList {
    switch kind {
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .integer: return try integer(body)
    case .real where body.count == 4:
      return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: unsigned(body)))))
    case .real where body.count == 8: return .real(Double(bitPattern: unsigned(body)))
    case .date where body.count == 8: return .date(Double(bitPattern: unsigned(body)))
    case .data: return .data(Array(bytes[body]))
    case .ascii:
      guard bytes[body].allSatisfy({ $0 < 0x80 }) else {
        throw Self.failure("a string that is said to be ASCII and is not", body.lowerBound)
      }
      return .string(String(decoding: bytes[body], as: UTF8.self))
    case .utf16: return .string(utf16(body))
    case .uid where body.count <= 8: return .uid(unsigned(body))
    default: throw Self.failure("a number of an unknown size", body.lowerBound)
    }
  }

  /// Integers of 1, 2 and 4 bytes have no sign, those of 8 and 16 have one.
  private func integer(_ body: Range<Int>) throws(FormatError) -> PropertyList {
    guard body.count <= 16 else { throw Self.failure("an integer too large", body.lowerBound) }
    guard body.count == 16 else {
      return .integer(Int64(bitPattern: unsigned(body)))
    }
    let middle = body.lowerBound + 8
    let (high, low) = (unsigned(body.lowerBound..<middle), unsigned(middle..<body.upperBound))
    if high == 0 { return low > Int64.max ? .unsigned(low) : .integer(Int64(bitPattern: low)) }
    guard high == .max, low > Int64.max else {
      throw Self.failure("an integer too large", body.lowerBound)
    }
    return .integer(Int64(bitPattern: low))
  }
}
