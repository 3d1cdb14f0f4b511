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

  /// The code of a function whose parameters hide what the sandbox has by their names, `date` for
  /// one: it calls that by way of `_G`.
  ///
  /// Values of a store have no functions, so that a call never means one of them.
  static func code(_ code: String, hiddenBy parameters: [String]) -> String {
    let hiding = parameters.filter {
      $0 != "ctx" && (code.contains("\($0).") || code.contains("\($0)("))
    }
    guard !hiding.isEmpty else { return code }
    return code.replacing(/[.:]?[A-Za-z_][\w.:]*\(/) { call -> String in
      let name = String(call.output.prefix { !".:(".contains($0) })
      let isMethod = call.output.contains(":")
      return hiding.contains(name) && !isMethod ? "_G.\(call.output)" : String(call.output)
    }
  }
}
