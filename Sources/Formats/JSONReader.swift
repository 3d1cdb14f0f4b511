extension JSONValue {
  /// Reads a document, strictly by RFC 8259; a name given twice in an object is an error.
  ///
  /// Whole numbers that fit `Int64` stay exact, others become doubles.
  package init(reading bytes: [UInt8], limits: FormatLimits = .json) throws(FormatError) {
    guard bytes.count <= limits.bytes else {
      throw FormatError(.json, "larger than \(ByteSize.text(limits.bytes))")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw FormatError(.json, "not UTF-8")
    }
    var reader = JSONReader(bytes: bytes, budget: FormatBudget(limits, for: .json))
    self = try reader.document()
  }
}

private struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  private var budget: FormatBudget

  init(bytes: [UInt8], budget: FormatBudget) {
    self.bytes = bytes
    self.budget = budget
  }

  mutating func document() throws(FormatError) -> JSONValue {
    let value = try value(level: 1)
    skipSpace()
    guard position == bytes.count else { throw failure("something follows the value") }
    return value
  }

  private mutating func value(level: Int) throws(FormatError) -> JSONValue {
    do throws(FormatError) { try budget.spend(level: level) } catch { throw failure(error.problem) }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return .object(try members(level: level))
    case UInt8(ascii: "["): return .array(try elements(level: level))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default:
      if take("null") { return .null }
      if take("true") { return .bool(true) }
      if take("false") { return .bool(false) }
      throw failure(next == 0 ? "cut short" : "not a value")
    }
  }

  private mutating func elements(level: Int) throws(FormatError) -> [JSONValue] {
    var elements: [JSONValue] = []
    position += 1
    skipSpace()
    if take("]") { return elements }
    while true {
      elements.append(try value(level: level + 1))
      skipSpace()
      if take("]") { return elements }
      guard take(",") else { throw failure("neither a comma nor the end of the array") }
    }
  }

  private mutating func members(level: Int) throws(FormatError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    position += 1
    skipSpace()
    if take("}") { return members }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("not a name in quotes") }
      let name = try string()
      guard names.insert(name).inserted else { throw failure("a name given twice") }
      skipSpace()
      guard take(":") else { throw failure("no colon after a name") }
      members.append(JSONValue.Member(name, try value(level: level + 1)))
      skipSpace()
      if take("}") { return members }
      guard take(",") else { throw failure("neither a comma nor the end of the object") }
    }
  }
}

// Numbers.
extension JSONReader {
  private mutating func number() throws(FormatError) -> JSONValue {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    let isWhole = next != UInt8(ascii: ".") && next | 0x20 != UInt8(ascii: "e")
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("-") { _ = take("+") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let real = Double(text), real.isFinite else { throw failure("a number too large") }
    return .real(real)
  }

  private mutating func digits() throws(FormatError) {
    let start = position
    while UInt8(ascii: "0")...UInt8(ascii: "9") ~= next { position += 1 }
    guard position > start else { throw failure("a digit is missing") }
  }
}

// Strings.
extension JSONReader {
  private mutating func string() throws(FormatError) -> String {
    var text: [UInt8] = []
    position += 1
    while true {
      let byte = next
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += String(try escape()).utf8
      case ..<0x20:
        position -= 1
        throw failure(position == bytes.count ? "cut short" : "a control character in a string")
      default: text.append(byte)
      }
    }
  }

  private mutating func escape() throws(FormatError) -> Unicode.Scalar {
    let byte = next
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicode()
    default:
      position -= 1
      throw failure("an unknown escape")
    }
  }

  /// Four digits, or two times four for a character outside the basic plane.
  private mutating func unicode() throws(FormatError) -> Unicode.Scalar {
    let unit = try fourDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xdc00, take("\\u") else { throw failure("half of a character") }
    let low = try fourDigits()
    guard 0xdc00...0xdfff ~= low,
      let scalar = Unicode.Scalar(0x10000 + (unit & 0x3ff) << 10 + (low & 0x3ff))
    else { throw failure("half of a character") }
    return scalar
  }

  private mutating func fourDigits() throws(FormatError) -> UInt32 {
    let text = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    guard let pair = try? Hex.decode(text), pair.count == 2 else {
      throw failure("not four hexadecimal digits")
    }
    position += 4
    return UInt32(pair[0]) << 8 | UInt32(pair[1])
  }
}

// Reading on.
extension JSONReader {
  /// The byte at the position, 0 at the end; a real 0 byte is nowhere allowed either.
  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  private mutating func skipSpace() {
    while next.isXMLSpace { position += 1 }
  }

  private func failure(_ problem: String) -> FormatError {
    let before = bytes[..<position]
    let line = before.count { $0 == 0x0a } + 1
    let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    let column = String(decoding: before[start...], as: UTF8.self).count + 1
    return FormatError(.json, problem, at: .position(line: line, column: column))
  }
}
