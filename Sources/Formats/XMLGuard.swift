/// What is refused before an XML parser sees it: what parsers crash on, take too long over or obey.
///
/// - Other encodings than UTF-8, in which the rest of this could not be found.
/// - Definitions: entities that unfold without end, or name files. A plain DOCTYPE, as property
///   lists have, is blanked out: an undefined entity is then an error, and nothing is fetched.
/// - Processing instructions, which say nothing to a reader of models.
/// - Tags of very many attributes: Apple's XMLParser compares each with every other.
/// - Tags of very many bytes: each error in them costs, and none is reported before the tag's end.
///
/// The bytes are searched without regard to where in the document they are, comments and CDATA
/// included: a parser that reads on after an error may see tags where there are none.
struct XMLGuard {
  /// UTF-8's byte order mark.
  static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
  private static let mostAttributes = 256
  private static let longestTag = 1 << 20

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
      throw FormatError(.xml, "larger than \(ByteSize.text(limits.bytes))")
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
      if here("<?") {
        try checkDeclaration()
      } else if here("<!DOCTYPE"), !sawElement {
        try blankDocumentType()
      } else if here("<!"), !here("<!--"), !here("<![CDATA[") {
        throw failure("a definition out of place")
      } else {
        sawElement = sawElement || !here("<!")
        try checkAttributes()
      }
    }
  }

  private func here(_ text: StaticString) -> Bool {
    bytes[position...].starts(with: text.description.utf8)
  }

  /// The declaration is compared with the forms that there are, so that it cannot be misread.
  private mutating func checkDeclaration() throws(FormatError) {
    let isFirst = bytes[..<position].elementsEqual(Self.byteOrderMark) || position == 0
    guard isFirst else { throw failure("a processing instruction") }
    let start = position
    try skipQuoted()
    let text = bytes[start..<position].filter { !$0.isXMLSpace }
      .map { $0 == UInt8(ascii: "'") ? UInt8(ascii: "\"") : $0 }
    guard Self.declarations.contains(String(decoding: text, as: UTF8.self).lowercased()) else {
      throw failure("not said to be XML 1.0 in UTF-8")
    }
  }

  private mutating func blankDocumentType() throws(FormatError) {
    let start = position
    try skipQuoted(refusing: UInt8(ascii: "["))
    for place in start..<position where !bytes[place].isXMLSpace {
      bytes[place] = UInt8(ascii: " ")
    }
  }

  /// No tag has a "<" inside: the next one ends what can be attributes of this one.
  private mutating func checkAttributes() throws(FormatError) {
    var attributes = 0
    var equals = false
    var tag = Quoting()
    let isTag = !here("<!")
    let start = position
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
      let byte = bytes[position]
      if equals, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { attributes += 1 }
      guard attributes <= Self.mostAttributes else { throw failure("a tag of too many attributes") }
      equals = byte == UInt8(ascii: "=") || (equals && byte.isXMLSpace)
      tag.pass(byte)
      guard tag.isEnded || !isTag || position - start < Self.longestTag else {
        throw failure("a tag of more than \(Self.longestTag) bytes")
      }
      position += 1
    }
  }

  /// Goes past the next ">" outside quotes.
  private mutating func skipQuoted(refusing refused: UInt8? = nil) throws(FormatError) {
    var tag = Quoting()
    while position < bytes.count, !tag.isEnded {
      let byte = bytes[position]
      if tag.quote == nil, byte == refused { throw failure("definitions of its own") }
      tag.pass(byte)
      position += 1
    }
  }

  /// How far a tag has come, byte by byte: to its end, or into a quotation.
  private struct Quoting {
    var quote: UInt8?
    var isEnded = false

    mutating func pass(_ byte: UInt8) {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        isEnded = true
      }
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
