/// A function, initialiser, subscript or computed property: where it starts and how long it is.
struct Function: Sendable, Equatable {
  /// The line of the word that introduces it.
  var line: Int
  /// The lines from there to its closing brace.
  var length: Int
}

extension SourceFile {
  /// The functions of a Swift or C file, found by counting braces.
  func functions() -> [Function] {
    isSwift ? swiftFunctions() : isC ? cFunctions() : []
  }

  private func swiftFunctions() -> [Function] {
    words.indices.compactMap { index in
      let word = words[index]
      guard Self.introducers.contains(word.text), word.before != UInt8(ascii: "."),
        word.before != UInt8(ascii: "`"), let open = bodyStart(after: index)
      else { return nil }
      return Function(line: word.line, length: lineCount(word.range.lowerBound...close(open)))
    }
  }

  /// The brace that opens the body of the declaration which `words[index]` introduces; nil for a
  /// protocol's requirement and for a stored property.
  private func bodyStart(after index: Int) -> Int? {
    let isProperty = words[index].text == "var"
    var depth = 0
    var next = index + 1
    var at = words[index].range.upperBound
    while at < code.count {
      while next < words.count, words[next].range.lowerBound < at { next += 1 }
      if depth == 0, next < words.count, words[next].range.lowerBound == at,
        Self.declarations.contains(words[next].text)
      {
        return nil
      }
      switch code[at] {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "{") where depth == 0: return at
      case UInt8(ascii: "}") where depth == 0: return nil
      case UInt8(ascii: "\n") where depth == 0 && isProperty: return nil
      case UInt8(ascii: "=") where depth == 0 && isProperty: return nil
      default: break
      }
      if depth < 0 { return nil }
      at += 1
    }
    return nil
  }

  /// In C a body is what stands in braces after `)` outside all other braces.
  private func cFunctions() -> [Function] {
    var functions: [Function] = []
    var start: Int?
    var last: UInt8 = 0
    var at = 0
    while at < code.count {
      switch code[at] {
      case UInt8(ascii: "#"):
        at = endOfDirective(at)
      case UInt8(ascii: ";"):
        start = nil
      case UInt8(ascii: "{"):
        let end = close(at)
        if let first = start, last == UInt8(ascii: ")") {
          let line = lineCount(0...first)
          functions.append(Function(line: line, length: lineCount(first...end)))
        }
        (start, at) = (nil, end)
      case let byte where !byte.isBlank:
        start = start ?? at
      default: break
      }
      if !code[at].isBlank { last = code[at] }
      at += 1
    }
    return functions
  }

  /// The last byte of the preprocessor directive at `at`, with its continuation lines.
  private func endOfDirective(_ at: Int) -> Int {
    var at = at
    while at + 1 < code.count,
      code[at] != UInt8(ascii: "\n") || code[at - 1] == UInt8(ascii: "\\")
    {
      at += 1
    }
    return at
  }

  /// The brace that closes the one at `open`, or the end of the file.
  private func close(_ open: Int) -> Int {
    let (opening, closing) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    var depth = 0
    var at = open
    while at < code.count {
      if code[at] == opening { depth += 1 }
      if code[at] == closing { depth -= 1 }
      if depth == 0 { return at }
      at += 1
    }
    return code.count - 1
  }

  private func lineCount(_ range: ClosedRange<Int>) -> Int {
    let newline = UInt8(ascii: "\n")
    return 1 + code[range].count { $0 == newline }
  }

  private static let introducers: Set = ["func", "init", "deinit", "subscript", "var"]

  private static let declarations: Set = [
    "associatedtype", "case", "class", "deinit", "enum", "extension", "func", "import", "init",
    "let", "protocol", "static", "struct", "subscript", "typealias", "var",
  ]
}
