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
  /// Within another document, laid out alike, it begins at a level of that one.
  package func text(_ layout: Layout = .compact, level: Int = 0) -> String {
    var writer = JSONWriter(layout: layout)
    writer.append(self, level: level)
    return String(decoding: writer.text, as: UTF8.self)
  }
}

private struct JSONWriter {
  /// The largest integer that a double holds together with all smaller ones.
  static let largest: Int64 = 1 << 53

  let layout: JSONValue.Layout
  var text: [UInt8] = []

  init(layout: JSONValue.Layout) { self.layout = layout }

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

  /// RFC 8259, 7: the quotation mark, the backslash and everything below U+0020 must be escaped.
  private mutating func append(string: String) {
    text.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case 0x0a: text += "\\n".utf8
      case 0x0d: text += "\\r".utf8
      case 0x09: text += "\\t".utf8
      case ..<0x20: text += "\\u00\(Hex.encode([byte]))".utf8
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}
