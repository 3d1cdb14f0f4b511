/// One file of the project, as the rules read it.
struct SourceFile: Sendable {
  /// An identifier or keyword in the code of a file.
  struct Word: Sendable {
    var text: String
    var range: Range<Int>
    /// 1 for the first line.
    var line: Int
    /// The nearest byte before and after it that is not blank; 0 at the ends of the file.
    var before: UInt8
    var after: UInt8
  }

  /// The path from the top of the repository, with `/` between its parts.
  let path: String
  /// The text, line by line.
  let lines: [String]
  /// The text without comments and literals, byte for byte in its place; empty for other languages.
  let code: [UInt8]
  /// The same, line by line.
  let codeLines: [String]
  /// The words of the code.
  let words: [Word]

  init(_ path: String, _ text: String) {
    self.path = path
    lines = Self.lines(of: text)
    code = Self.language(of: path).map { CodeMask.code(of: text, language: $0) } ?? []
    codeLines = Self.lines(of: String(decoding: code, as: UTF8.self))
    words = Self.words(of: code)
  }

  /// Whether the file is Swift.
  var isSwift: Bool { path.hasSuffix(".swift") }

  /// Whether the file is C.
  var isC: Bool { path.hasSuffix(".c") || path.hasSuffix(".h") }

  /// The name without its folder.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Whether the file lies below one of these folders, which are written with a `/` at the end.
  func isBelow(_ folders: [String]) -> Bool {
    folders.contains { path.hasPrefix($0) }
  }

  private static func language(of path: String) -> CodeMask.Language? {
    if path.hasSuffix(".swift") { return .swift }
    return path.hasSuffix(".c") || path.hasSuffix(".h") ? .c : nil
  }

  private static func lines(of text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The words of a text, in their order.
  static func words(of code: [UInt8]) -> [Word] {
    var words: [Word] = []
    var line = 1
    var before: UInt8 = 0
    var at = 0
    while at < code.count {
      var end = at
      while end < code.count, code[end].isWordPart { end += 1 }
      if end > at {
        let text = String(decoding: code[at..<end], as: UTF8.self)
        let after = code[end...].first { !$0.isBlank } ?? 0
        words.append(Word(text: text, range: at..<end, line: line, before: before, after: after))
        before = code[end - 1]
        at = end
      } else {
        if code[at] == UInt8(ascii: "\n") { line += 1 }
        if !code[at].isBlank { before = code[at] }
        at += 1
      }
    }
    return words
  }
}

extension SourceFile {
  /// The types that the file declares for others.
  var declaredTypes: [String] {
    let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    return codeLines.compactMap { line in
      guard let first = line.first, first != " ", first != "}" else { return nil }
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      guard !["private", "fileprivate"].contains(words.first.map(String.init) ?? ""),
        let kind = words.firstIndex(where: { kinds.contains(String($0)) })
      else { return nil }
      return words.dropFirst(kind + 1).first.map(String.init)
    }
  }
}

extension UInt8 {
  /// Whether the byte can stand in an identifier.
  fileprivate var isWordPart: Bool { Self.wordParts[Int(self)] }

  private static let wordParts = flags { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }

  /// Whether the byte is space between words.
  var isBlank: Bool { self == UInt8(ascii: " ") || self >= 9 && self <= 13 }

  /// What is true of each byte, to be looked up: a build for debugging asks slowly.
  static func flags(where isTrue: (UInt8) -> Bool) -> [Bool] { (0...255).map { isTrue($0) } }
}
