internal import Formats

/// Texts as Lua writes them.
enum LuaText {
  /// Words that cannot be names (Lua 5.4 Reference Manual, 3.1).
  private static let keywords: Set = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

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

  /// Whether a text is a name as Lua has them: "any string of Latin letters, digits, and
  /// underscores, not beginning with a digit" (Lua 5.4 Reference Manual, 3.1).
  static func isName(_ text: String) -> Bool {
    let isWord = text.utf8.allSatisfy { byte in
      let character = Character(Unicode.Scalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }
    return isWord && !text.isEmpty && text.first?.isNumber == false
  }

  /// A field of a table that is a variable: `note.title`.
  static func member(_ table: String, _ name: String) -> String {
    let key = key(name)
    return key == name ? "\(table).\(name)" : "\(table)\(key)"
  }

  /// A field's name: bare where Lua allows it.
  static func key(_ name: String) -> String {
    isName(name) && !keywords.contains(name) ? name : "[\(quoted(name))]"
  }
}
