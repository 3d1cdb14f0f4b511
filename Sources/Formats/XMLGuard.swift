/// What is refused before an XML parser sees it, because parsers take too long over it or obey it.
///
/// - Other encodings than UTF-8, in which the rest of this could not be found.
/// - Definitions: entities that unfold without end, or name files. A plain DOCTYPE, as property
///   lists have, is blanked out, so that an entity nobody defined is an error and nothing is fetched.
/// - Tags of very many attributes: libxml2 compares each with every other.
struct XMLGuard {
  /// UTF-8's byte order mark.
  static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
  private static let mostAttributes = 256

  private static let declarations: Set<String> = {
    let encodings = ["", "encoding=\"utf-8\"", "encoding=\"us-ascii\""]
    let standalone = ["", "standalone=\"yes\"", "standalone=\"no\""]
    return Set(
      encodings.flatMap { encoding in
        standalone.map { "<?xmlversion=\"1.0\"\(encoding)\($0)?>" }
      })
  }()

  private var bytes: [UInt8]
  private var position = 0
  private var sawElement = false

  /// The bytes a parser may see; as many, on the same lines.
  static func admit(_ bytes: [UInt8], limits: FormatLimits) throws(FormatError) -> [UInt8] {
    guard bytes.count <= limits.bytes else {
      throw FormatError(.xml, "larger than \(limits.bytes) bytes")
    }
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      throw FormatError(.xml, "not UTF-8")
    }
    var guardian = XMLGuard(bytes: bytes)
    try guardian.scan()
    return guardian.bytes
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Goes from one "<" to the next; where the document is not well formed the parser will say so.
  private mutating func scan() throws(FormatError) {
    while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = open
      if here("<!--") {
        skip(past: "-->", from: 4)
      } else if here("<![CDATA[") {
        skip(past: "]]>", from: 9)
      } else if here("<?") {
        try skipInstruction()
      } else if here("<!") {
        try blankDocumentType()
      } else {
        try skipTag()
      }
    }
  }

  private func here(_ text: StaticString) -> Bool {
    bytes[position...].starts(with: text.description.utf8)
  }

  private mutating func skip(past end: StaticString, from start: Int) {
    let end = Array(end.description.utf8)
    position = min(position + start, bytes.count)
    while position < bytes.count, !bytes[position...].starts(with: end) { position += 1 }
    position = min(position + end.count, bytes.count)
  }

  /// The declaration is held against the forms that there are, so that it cannot be misread.
  private mutating func skipInstruction() throws(FormatError) {
    let start = position
    let isDeclaration = here("<?xml") && start + 5 < bytes.count && bytes[start + 5].isXMLSpace
    skip(past: "?>", from: 2)
    guard isDeclaration else { return }
    let text = bytes[start..<position].filter { !$0.isXMLSpace }
      .map { $0 == UInt8(ascii: "'") ? UInt8(ascii: "\"") : $0 }
    guard Self.declarations.contains(String(decoding: text, as: UTF8.self).lowercased()) else {
      throw failure("not said to be XML 1.0 in UTF-8")
    }
  }

  private mutating func blankDocumentType() throws(FormatError) {
    guard here("<!DOCTYPE"), !sawElement else { throw failure("a definition out of place") }
    let start = position
    try skipQuoted { byte in byte == UInt8(ascii: "[") ? "definitions of its own" : nil }
    for place in start..<position where !bytes[place].isXMLSpace {
      bytes[place] = UInt8(ascii: " ")
    }
  }

  private mutating func skipTag() throws(FormatError) {
    sawElement = true
    var attributes = 0
    try skipQuoted { byte in
      if byte == UInt8(ascii: "=") { attributes += 1 }
      return attributes > Self.mostAttributes ? "a tag of too many attributes" : nil
    }
  }

  /// Goes past the next ">" outside quotes, asking `objection` about each byte outside them.
  private mutating func skipQuoted(_ objection: (UInt8) -> String?) throws(FormatError) {
    var quote: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if let problem = objection(byte) {
        throw failure(problem)
      }
      position += 1
      if quote == nil, byte == UInt8(ascii: ">") { return }
    }
  }

  private func failure(_ problem: String) -> FormatError {
    let line = bytes[..<position].count { $0 == UInt8(ascii: "\n") } + 1
    return FormatError(.xml, "refused: \(problem)", at: .line(line))
  }
}

extension UInt8 {
  /// Whether XML counts this byte as white space.
  var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }
}
