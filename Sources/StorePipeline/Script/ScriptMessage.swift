/// What a script says, as a message shows it.
///
/// The text is the script's, or comes from the values that it was given: it is one line and has an
/// end, and what shows it puts the script's name before it.
enum ScriptMessage {
  /// The most characters of it that are shown.
  static let longest = 1000

  /// The text on one line, cut where it is too long.
  static func text(_ words: String) -> String {
    let line = words.prefix(longest + 1).oneLine
    return line.count > longest ? line.prefix(longest - 1) + "…" : line
  }

  /// A message of Lua's parser with the likely reason: a table whose end is expected before a word
  /// lacks the comma in front of it.
  static func hinted(_ message: String) -> String {
    guard let near = message.firstRange(of: " near ") else { return message }
    let word = String(message[near.upperBound...])
    if message.hasPrefix("'}' expected"), word == "'='" {
      return "\(message); before = in a table stands a name without quotes, or one in [\"\"]"
    }
    if message.hasPrefix("<name> expected"), word.hasPrefix("'\"") {
      return "\(message); behind a name in a table stands =, and no colon"
    }
    if let other = foreign.first(where: { "'\($0.sign)'" == word }) {
      return "\(message); \(other.meaning)"
    }
    guard message.contains("'}' expected"), word != "<eof>" else { return message }
    return "\(message); is a comma missing before \(word.dropFirst().dropLast())?"
  }

  /// Signs of other languages, where Lua's parser gives up on them.
  private static let foreign: [(sign: String, meaning: String)] = [
    ("=", "to compare, write =="), ("!", "Lua writes ~= for != and not for !"),
    ("&", "Lua writes and for &&"), ("|", "Lua writes or for ||"),
    ("+", "Lua has no +=; write x = x + 1"), ("?", "Lua has no ?; write a and b or c"),
    ("//", "a comment begins with --"), (",", "no comma stands between two stages, or statements"),
    ("{", "a function's body ends with end and has no braces"),
  ]
}
