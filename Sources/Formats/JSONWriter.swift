extension JSONValue {
  /// How JSON is laid out.
  package enum Layout: Sendable {
    /// On one line, without spaces.
    case compact
    /// A line a value, two spaces a level.
    case pretty
  }

  /// The document; the same value always gives the same text.
  ///
  /// Integers beyond 2^53 become strings, because most readers keep numbers as doubles; so do the
  /// doubles that JSON has no number for. Other doubles have as many digits as bring them back.
  ///
  /// Within another document, laid out alike, it begins at a level of that one. What cannot be seen
  /// is spelled out, because a terminal may show the document; not so in one that is `data`, a
  /// value that goes into a store.
  package func text(
    _ layout: Layout = .compact, level: Int = 0, isData: Bool = false
  ) -> String {
    var writer = JSONWriter(layout: layout, isData: isData)
    writer.append(self, level: level)
    return String(decoding: writer.text, as: UTF8.self)
  }
}

private struct JSONWriter {
  /// The largest integer that a double holds together with all smaller ones.
  static let largest: Int64 = 1 << 53

  let layout: JSONValue.Layout
  let isData: Bool
  var text: [UInt8] = []

  init(layout: JSONValue.Layout, isData: Bool) { (self.layout, self.isData) = (layout, isData) }

  mutating func append(_ value: JSONValue, level: Int) {
    switch value {
    case .null: text += "null".utf8
    case .bool(let value): text += (value ? "true" : "false").utf8
    case .integer(let value) where -Self.largest...Self.largest ~= value:
      text += String(value).utf8
    case .integer(let value): append(string: String(value))
    case .real(let value) where value.isFinite: text += value.description.utf8
    case .real(let value): append(string: value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
    case .string(let value): append(string: value)
    case .array(let elements):
      append(elements, between: "[", and: "]", level: level) { writer, element in
        writer.append(element, level: level + 1)
      }
    case .object(let members):
      append(members, between: "{", and: "}", level: level) { writer, member in
        writer.append(string: member.name)
        writer.text += (writer.layout == .pretty ? ": " : ":").utf8
        writer.append(member.value, level: level + 1)
      }
    }
  }

  private mutating func append<Item>(
    _ items: [Item], between open: String, and close: String, level: Int,
    _ body: (inout JSONWriter, Item) -> Void
  ) {
    text += open.utf8
    for (place, item) in items.enumerated() {
      if place > 0 { text.append(UInt8(ascii: ",")) }
      appendLine(level + 1)
      body(&self, item)
    }
    if !items.isEmpty { appendLine(level) }
    text += close.utf8
  }

  private mutating func appendLine(_ level: Int) {
    guard layout == .pretty else { return }
    text.append(UInt8(ascii: "\n"))
    text += repeatElement(UInt8(ascii: " "), count: 2 * level)
  }

  /// RFC 8259, 7: the quotation mark, the backslash and everything below U+0020 must be escaped,
  /// and "any character may be escaped".
  private mutating func append(string: String) {
    text.append(UInt8(ascii: "\""))
    defer { text.append(UInt8(ascii: "\"")) }
    // As one piece of memory, which most strings are.
    let isWritten = unsafe string.utf8.withContiguousStorageIfAvailable { bytes in
      guard unsafe bytes.allSatisfy(Self.isPlain) else { return false }
      unsafe text.append(contentsOf: bytes)
      return true
    }
    if isWritten == true { return }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        text.append(UInt8(ascii: "\\"))
        text.append(UInt8(ascii: scalar))
      case " "..."~": text.append(UInt8(ascii: scalar))
      case "\n": text += "\\n".utf8
      case "\r": text += "\\r".utf8
      case "\t": text += "\\t".utf8
      case _ where isData ? scalar.value < 0x20 : scalar.isUnseen:
        for unit in scalar.utf16 {
          text += "\\u\(Hex.encode([UInt8(unit >> 8), UInt8(unit & 0xff)]))".utf8
        }
      default: text += scalar.utf8
      }
    }
  }

  /// Whether a byte is a character that is written as it is; most texts have no others.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20...0x7e).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
