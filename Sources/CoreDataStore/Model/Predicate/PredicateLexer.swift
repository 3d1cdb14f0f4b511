/// Cuts predicate text into words.
package struct PredicateLexer {
  /// A place where the text is not predicate text.
  package struct Unreadable: Error {
    /// What stands there, or is missing.
    package let why: String
  }

  private let characters: [Character]
  private var position = 0

  private init(_ text: String) { characters = Array(text) }

  package static func tokens(of text: String) throws(Unreadable) -> [PredicateToken] {
    var lexer = PredicateLexer(text)
    var tokens: [PredicateToken] = []
    while let token = try lexer.next() { tokens.append(token) }
    return tokens
  }

  private var current: Character? {
    position < characters.count ? characters[position] : nil
  }

  private var following: Character? {
    position + 1 < characters.count ? characters[position + 1] : nil
  }

  private mutating func next() throws(Unreadable) -> PredicateToken? {
    while let space = current, space.isWhitespace { position += 1 }
    guard let first = current else { return nil }
    switch first {
    case "\"", "'": return .string(try string(until: first))
    case "$":
      position += 1
      return .variable(run { Self.isWord($0) })
    case _ where first.isASCII && first.isNumber: return .number(number())
    case ".": if following?.isNumber == true { return .number(number()) }
    case "#":
      position += 1
      guard let start = current, start.isLetter || start == "_" else {
        throw Unreadable(why: "no name follows \"#\"")
      }
      return .path(try keyPath { Self.isWord($0) || $0 == "." })
    case _ where Self.isWord(first):
      return .word(try keyPath { Self.isWord($0) || ".:".contains($0) })
    default: break
    }
    return .sign(try sign())
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "@"
  }

  private mutating func keyPath(
    while condition: (Character) -> Bool
  ) throws(Unreadable) -> String {
    let path = run(while: condition)
    guard !path.contains(".."), !path.hasSuffix(".") else {
      throw Unreadable(why: "the key path \"\(path)\" has an empty part")
    }
    return path
  }

  private mutating func run(while condition: (Character) -> Bool) -> String {
    let start = position
    while let character = current, condition(character) { position += 1 }
    return String(characters[start..<position])
  }

  private mutating func number() -> String {
    var text = run { ($0.isASCII && $0.isNumber) || $0 == "." }
    if current == "e" || current == "E" {
      text.append("e")
      position += 1
      if current == "-" || current == "+" { text.append(characters[position]); position += 1 }
      text += run { $0.isASCII && $0.isNumber }
    }
    return text
  }

  private mutating func string(until quote: Character) throws(Unreadable) -> String {
    var text = ""
    position += 1
    while let character = current {
      position += 1
      if character == quote { return text }
      guard character == "\\", let escaped = current else {
        text.append(character)
        continue
      }
      position += 1
      text.append(escaped == "n" ? "\n" : escaped == "t" ? "\t" : escaped)
    }
    throw Unreadable(why: "a quoted text does not end")
  }

  private static let signs = ["==", "!=", "<>", "<=", ">=", "=<", "=>", "&&", "||"]

  private mutating func sign() throws(Unreadable) -> String {
    guard let first = current else { throw Unreadable(why: "the text ends too early") }
    let pair = following.map { String([first, $0]) } ?? ""
    let text = Self.signs.contains(pair) ? pair : String(first)
    guard Self.signs.contains(text) || "=<>!(){}[],.-+*/".contains(first) else {
      throw Unreadable(why: "\"\(first)\" is not understood")
    }
    position += text.count
    return text
  }
}
