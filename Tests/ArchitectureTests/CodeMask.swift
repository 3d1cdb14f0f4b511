/// Blanks out what is not code: comments and the insides of string literals.
///
/// Every blanked byte becomes one space and newlines stay, so offsets and line numbers of the
/// result are those of the text. Code inside a Swift interpolation is code and stays.
struct CodeMask {
  /// What the rules of quoting depend on.
  enum Language {
    case swift, c
  }

  /// Where something may begin, or end: at other bytes nothing is asked, for files are long.
  private static let marksInCode = UInt8.flags { "/\"#'()".utf8.contains($0) }
  private static let marksInString = UInt8.flags { "\\\"\n".utf8.contains($0) }

  private let language: Language
  private let marks = Self.marksInCode
  private let bytes: [UInt8]
  private var masked: [UInt8]
  private var at = 0

  private init(_ text: String, _ language: Language) {
    self.language = language
    bytes = Array(text.utf8)
    masked = bytes
  }

  /// The code of `text`, byte for byte in its place.
  static func code(of text: String, language: Language) -> [UInt8] {
    var mask = CodeMask(text, language)
    while mask.at < mask.bytes.count { mask.scanCode() }
    return mask.masked
  }

  /// Reads code up to the end of the text, or up to the `)` that ends an interpolation.
  private mutating func scanCode() {
    var depth = 0
    while at < bytes.count {
      if !marks[Int(bytes[at])] {
        at += 1
      } else if sees("//") {
        blankRest()
      } else if sees("/*") {
        blankBlockComment()
      } else if sees("\"") || sees("#") && hashesBeforeQuote() > 0 {
        blankString(hashes: hashesBeforeQuote())
      } else if language == .c, sees("'") {
        blankQuoted(by: "'")
      } else {
        if sees("(") { depth += 1 }
        if sees(")") { depth -= 1 }
        at += 1
        if depth < 0 { return }
      }
    }
  }

  /// Blanks a block comment; Swift's may hold others.
  private mutating func blankBlockComment() {
    var depth = 0
    repeat {
      if sees("/*"), depth == 0 || language == .swift {
        depth += 1
        blank(2)
      } else if sees("*/") {
        depth -= 1
        blank(2)
      } else {
        blank(1)
      }
    } while depth > 0 && at < bytes.count
  }

  /// Blanks a string literal, but not the code interpolated into it.
  private mutating func blankString(hashes: Int) {
    let fence = String(repeating: "#", count: hashes)
    blank(hashes)
    guard language == .swift else { return blankQuoted(by: "\"") }
    let quote = sees("\"\"\"") ? "\"\"\"" : "\""
    let marks = Self.marksInString
    blank(quote.utf8.count)
    while at < bytes.count {
      var end = at
      while end < bytes.count, !marks[Int(bytes[end])] { end += 1 }
      blank(end - at)
      if sees("\\" + fence + "(") {
        at += hashes + 2
        scanCode()
      } else if sees("\\" + fence) {
        blank(hashes + 2)
      } else if sees(quote + fence) {
        return blank(quote.utf8.count + hashes)
      } else if quote == "\"", sees("\n") {
        // What looked like a string was none (a regex literal, say): lose one line, no more.
        return
      } else {
        blank(1)
      }
    }
  }

  /// Blanks a C string or character up to its closing quote on the same line.
  private mutating func blankQuoted(by quote: String) {
    blank(1)
    while at < bytes.count, !sees(quote), !sees("\n") { blank(sees("\\") ? 2 : 1) }
    if sees(quote) { blank(1) }
  }

  /// How many `#` stand here in front of a Swift string's quote; 0 if there is no string.
  private func hashesBeforeQuote() -> Int {
    let count = bytes[at...].prefix { $0 == UInt8(ascii: "#") }.count
    guard language == .swift, at + count < bytes.count else { return 0 }
    return bytes[at + count] == UInt8(ascii: "\"") ? count : 0
  }

  private func sees(_ word: String) -> Bool {
    bytes[at...].starts(with: word.utf8)
  }

  /// Blanks the rest of the line.
  private mutating func blankRest() {
    let newline = UInt8(ascii: "\n")
    var end = at
    while end < bytes.count, bytes[end] != newline { end += 1 }
    blank(end - at)
  }

  private mutating func blank(_ count: Int) {
    let (newline, space) = (UInt8(ascii: "\n"), UInt8(ascii: " "))
    let end = min(at + count, bytes.count)
    while at < end {
      if bytes[at] != newline { masked[at] = space }
      at += 1
    }
  }
}
