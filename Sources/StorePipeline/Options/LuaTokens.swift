/// The words of a Lua text with their lines: enough to find where an option was written.
///
/// A table that Lua has evaluated knows its fields' values, and no longer their order or lines.
struct LuaTokens: Sendable {
  /// One word, number or sign.
  struct Token: Sendable, Equatable {
    /// The token's text; a string's is what stands between its quotes, escapes as written.
    let text: String
    let line: Int
    let isString: Bool
  }

  /// The tokens, comments left out.
  let tokens: [Token]
  private var firstOfLine: [Int: Int] = [:]

  /// Reads a text; one that is not Lua gives whatever tokens there are.
  init(_ text: [UInt8]) {
    var reader = TokenReader(bytes: text)
    tokens = reader.all()
    for (index, token) in tokens.enumerated() where firstOfLine[token.line] == nil {
      firstOfLine[token.line] = index
    }
  }

  /// The line on which a field was written, looked for in the table of a construct.
  ///
  /// - Parameters:
  ///   - path: The field, and those inside it.
  ///   - kind: The construct's word.
  ///   - line: The line the construct stands on.
  /// - Returns: The line of the innermost field that is found; the construct's when none is.
  func line(of path: [String], in kind: String, at line: Int) -> Int {
    var found = line
    guard let first = firstOfLine[line],
      let start = tokens[first...].firstIndex(where: { $0.text == kind && !$0.isString }),
      var open = tokens[start...].firstIndex(where: \.isOpening)
    else { return found }
    for name in path {
      guard let key = key(name, in: open) else { return found }
      found = tokens[key].line
      guard let next = tokens[key...].firstIndex(where: { $0.text == "=" && !$0.isString }) else {
        return found
      }
      open = next + 1
    }
    return found
  }

  /// The lines of the texts that stand without a name in the table of a construct.
  func itemLines(in kind: String, at line: Int) -> [Int] {
    guard let first = firstOfLine[line],
      let start = tokens[first...].firstIndex(where: { $0.text == kind && !$0.isString }),
      let open = tokens[start...].firstIndex(where: \.isOpening)
    else { return [] }
    var depth = 0
    var lines: [Int] = []
    for (index, token) in tokens.enumerated().dropFirst(open) {
      if token.isOpening { depth += 1 }
      if token.isClosing { depth -= 1 }
      if depth == 0 { return lines }
      let isValue = index > 0 && !tokens[index - 1].isString && tokens[index - 1].text == "="
      if depth == 1, token.isString, !isValue { lines.append(token.line) }
    }
    return lines
  }

  /// Where `name =` or `["name"] =` stands directly inside the braces that open at a token.
  private func key(_ name: String, in open: Int) -> Int? {
    guard open < tokens.count, tokens[open].isOpening else { return nil }
    var depth = 0
    for index in open..<tokens.count {
      let token = tokens[index]
      if token.isOpening { depth += 1 }
      if token.isClosing { depth -= 1 }
      if depth == 0 { return nil }
      guard depth == 1, token.text == name else { continue }
      let equals = index + (token.isString ? 2 : 1)
      if equals < tokens.count, tokens[equals].text == "=", !tokens[equals].isString {
        return index
      }
    }
    return nil
  }
}

extension LuaTokens.Token {
  fileprivate var isOpening: Bool { !isString && (text == "{" || text == "(") }
  fileprivate var isClosing: Bool { !isString && (text == "}" || text == ")") }
}

/// Cuts a Lua text into tokens (Lua 5.4 Reference Manual, 3.1).
private struct TokenReader {
  let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func all() -> [LuaTokens.Token] {
    var tokens: [LuaTokens.Token] = []
    while position < bytes.count {
      if let token = next() { tokens.append(token) }
    }
    return tokens
  }

  private mutating func next() -> LuaTokens.Token? {
    let byte = bytes[position], start = line
    if byte == UInt8(ascii: "-"), peek(1) == byte {
      skipComment()
      return nil
    }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      return .init(text: quoted(byte), line: start, isString: true)
    }
    if byte == UInt8(ascii: "["), let text = longBracket() {
      return .init(text: text, line: start, isString: true)
    }
    if byte.isWordPart {
      let end = bytes[position...].firstIndex { !$0.isWordPart } ?? bytes.count
      return .init(text: take(to: end), line: start, isString: false)
    }
    // "==" is one sign, so that a comparison is not taken for a field.
    let isDouble = byte == UInt8(ascii: "=") && peek(1) == byte
    let text = take(to: position + (isDouble ? 2 : 1))
    return byte <= 0x20 ? nil : .init(text: text, line: start, isString: false)
  }

  private func peek(_ distance: Int) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  private mutating func take(to end: Int) -> String {
    let piece = bytes[position..<end]
    line += piece.count { $0 == 0x0a }
    position = end
    return String(decoding: piece, as: UTF8.self)
  }

  private mutating func skipComment() {
    position += 2
    if position < bytes.count, bytes[position] == UInt8(ascii: "["), longBracket() != nil { return }
    // To Lua a carriage return alone ends a line, too.
    position = bytes[position...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? bytes.count
  }

  private mutating func quoted(_ quote: UInt8) -> String {
    position += 1
    var end = position
    while end < bytes.count, bytes[end] != quote {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    let text = take(to: min(end, bytes.count))
    position = min(position + 1, bytes.count)
    return text
  }

  /// A string or comment in long brackets, `[==[ ... ]==]`; nil when none begins here.
  private mutating func longBracket() -> String? {
    var level = 0
    while peek(level + 1) == UInt8(ascii: "=") { level += 1 }
    guard peek(level + 1) == UInt8(ascii: "[") else { return nil }
    position += level + 2
    let close =
      [UInt8(ascii: "]")] + Array(repeating: UInt8(ascii: "="), count: level)
      + [UInt8(ascii: "]")]
    var end = position
    while end < bytes.count, !bytes[end...].starts(with: close) { end += 1 }
    let text = take(to: end)
    position = min(end + close.count, bytes.count)
    return text
  }
}

extension UInt8 {
  /// Whether a name or a number continues with this byte.
  fileprivate var isWordPart: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: self >= 0x80
    }
  }
}
