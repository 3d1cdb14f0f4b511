internal import Formats

/// Texts as Lua writes them.
enum LuaText {
  /// Words that cannot be names (Lua 5.4 Reference Manual, 3.1).
  private static let keywords: Set = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// A text between quotes.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case _ where scalar.isUnseen:
        quoted += "\\u{\(String(scalar.value, radix: 16))}"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// A field's name: bare where Lua allows it.
  static func key(_ name: String) -> String {
    let isWord = name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
    return isWord && !keywords.contains(name) ? name : "[\(quoted(name))]"
  }
}
