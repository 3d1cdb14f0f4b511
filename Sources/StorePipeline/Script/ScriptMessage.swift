internal import CoreDataStore

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

  /// A message of Lua about a line of a text, with the likely reason: a word that is misspelt, or
  /// a table without a comma.
  static func hinted(_ message: String, line: Int, of text: [UInt8]) -> String {
    if let word = message.wholeMatch(of: /unknown name '(\w+)'/)?.1 {
      return message + (LuaSlips.meant(by: String(word)).map { "; did you mean '\($0)'?" } ?? "")
    }
    guard let near = message.firstRange(of: " near ") else { return message }
    let word = String(message[near.upperBound...])
    let slips = LuaSlips(LuaTokens(text), line: line, near: word, message)
    if let other = slips.arrow ?? slips.foreign { return "\(message); \(other)" }
    if let slip = slips.misspelt {
      return "\(message); '\(slip.word)' is no word of Lua: did you mean '\(slip.meant)'?"
    }
    if message.hasPrefix("'}' expected"), word == "'='" {
      return "\(message); before = in a table stands a name without quotes, or one in [\"\"]"
    }
    if message.hasPrefix("<name> expected"), word.hasPrefix("'\"") {
      return "\(message); behind a name in a table stands =, and no colon"
    }
    if let other = foreign.first(where: { "'\($0.sign)'" == word }) {
      return "\(message); \(other.meaning)"
    }
    if let missing = slips.missing(message) { return "\(message); \(missing)" }
    guard message.contains("'}' expected"), word != "<eof>" else { return message }
    return "\(message); is a comma missing before \(word.dropFirst().dropLast())?"
  }

  /// A message of Lua about a line that ran, with what to type in its place.
  static func explained(_ message: String, line: Int, of text: [UInt8]) -> String {
    let message = message.replacing("a object value", with: "an object")
    if let usual = usual(message) { return usual }
    if message.wholeMatch(of: /unknown name '\w+'/) != nil {
      let hinted = hinted(message, line: line, of: text)
      return hinted == message
        ? "\(message); a name of your own is declared before it is used, with local" : hinted
    }
    if let name = message.wholeMatch(of: /'string' has no '(\w+)'/)?.1 {
      let words = LuaTokens(text).tokens.filter { $0.line == line }.map(\.text)
      return words.contains("string")
        ? message : "\(message): what stands before .\(name) is a text, and has no properties"
    }
    if message.hasPrefix("attempt to call"), message.contains("(for iterator") {
      return "\(message); to go through a list write for i, x in ipairs(list) do"
    }
    if message.contains(/attempt to \w+ a '(string' with a '\w+|\w+' with a 'string)'/) {
      return "\(message); texts are joined with .., and tonumber(x) makes a number of a text"
    }
    let pattern = /attempt to (perform|concat|get|index)\w* .*a nil value \((local|field) '(\w+)'/
    guard let (_, what, kind, word) = message.firstMatch(of: pattern)?.output else {
      return hinted(message, line: line, of: text)
    }
    let name = kind == "local" ? "\(word)" : "x.\(word)"
    let form =
      switch what {
      case "perform": "write (\(name) or 0)"
      case "index": "test it first, with if"
      default: "write (\(name) or \"\")"
      }
    return "\(message); where it may be missing \(form)"
  }

  /// A message whose words are always the same.
  private static func usual(_ message: String) -> String? {
    if message == "(error object is a nil value)" {
      return #"error was called without a message; write error("what is wrong")"#
    }
    // No name of the sandbox has a capital first, and entities have: but Math is math.
    let pattern = /unknown name '([A-Z]\w*)'(; did you .*)?/
    if let (_, word, offer) = message.wholeMatch(of: pattern)?.output,
      word.contains(where: \.isLowercase), offer?.contains("'\(word.lowercased())'") != true
    {
      return "unknown name '\(word)'; new.\(word) { ... } makes an object, a text has quotes"
    }
    return often.first { message.hasSuffix($0.end) }.map { "\(message); \($0.meaning)" }
  }

  /// Ends of messages that beginners get, and what they mean.
  private static let often: [(end: String, meaning: String)] = [
    ("'date' has no 'now'", "ctx.now is the time of the run"),
    ("a nil value (field '?')", place), ("a nil value (field 'integer index')", place),
    ("a nil value (method 'add')", adding), ("a nil value (method 'append')", adding),
    ("a nil value (method 'push')", adding),
  ]

  private static let place = "nothing is at that place; the first of a list is list[1]"
  private static let adding =
    "a list has no methods; table.insert(list, x) adds to one, and then it is assigned"

  /// Signs of other languages, where Lua's parser gives up on them.
  private static let foreign: [(sign: String, meaning: String)] = [
    ("=", "to compare, write =="), ("!", "Lua writes ~= for != and not for !"),
    ("&", "Lua writes and for &&"), ("|", "Lua writes or for ||"),
    ("+", "Lua has no +=; write x = x + 1"), ("?", "Lua has no ?; write a and b or c"),
    ("is", "to compare, write =="), ("//", "a comment begins with --"),
    (",", "no comma stands between two stages, or statements"),
    ("{", "a function's body ends with end and has no braces"),
  ]
}

/// What a beginner gets wrong in the words of Lua: found in the text where its parser gave up.
private struct LuaSlips {
  private let tokens: [LuaTokens.Token]
  private let line: Int
  private let near: String
  private let isInTable: Bool

  init(_ tokens: LuaTokens, line: Int, near: String, _ message: String) {
    (self.tokens, self.line) = (tokens.tokens, line)
    isInTable = message.hasPrefix("'}' expected")
    self.near = near.trimmingPrefix("'").hasSuffix("'") ? String(near.dropFirst().dropLast()) : near
  }

  private static let words = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local",
    "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// The word of Lua that another one was meant to be; of a short one only with its letters.
  static func meant(by word: String) -> String? {
    guard !words.contains(word), let found = NearestName.of(word, among: words) else { return nil }
    return found.count > 3 || Set(word) == Set(found) ? found : nil
  }

  /// The last such word in front of where the parser gave up, in its line or the one above.
  var misspelt: (word: String, meant: String)? {
    let places = tokens.indices.filter { line - 1...line ~= tokens[$0].line }
    let last = places.last { tokens[$0].line == line && tokens[$0].text == near }
    for place in places.reversed() where place <= last ?? place && isBare(place) {
      let word = tokens[place].text
      if let meant = Self.meant(by: word) { return (word, meant) }
    }
    return nil
  }

  /// Whether a token stands for itself, and is neither a field nor what gets a value.
  private func isBare(_ place: Int) -> Bool {
    let (before, after) = (place - 1, place + 1)
    // Where a statement is wanted, the word that stands there is no name of a field.
    if tokens[place].text == near, !isInTable { return !tokens[place].isString }
    let isField = tokens.indices.contains(before) && [".", ":"].contains(tokens[before].text)
    let isGiven =
      tokens.indices.contains(after) && ["=", ".", ":", ","].contains(tokens[after].text)
    return !tokens[place].isString && !isField && !isGiven
  }

  /// What to write for a function of other languages, `(x) => y` or `x -> y`, in the line.
  var arrow: String? {
    let words = tokens.filter { $0.line == line }
    let place = words.indices.dropLast().first { place in
      ["=", "-"].contains(words[place].text) && words[place + 1].text == ">"
        && !words[place].isString && !words[place + 1].isString
    }
    guard let place else { return nil }
    let sign = words[place].text + ">"
    if sign == "=>", !beginsFunction(words, before: place) {
      return "Lua has no =>; to compare, write >="
    }
    var names: [String] = []
    for word in words[..<place].reversed() {
      if LuaText.isName(word.text), !word.isString {
        names.insert(word.text, at: 0)
        if words[place - 1].text != ")" { break }
      } else if !["(", ")", ","].contains(word.text) || word.text == "(" {
        break
      }
    }
    return "Lua has no \(sign); write function(\(names.joined(separator: ", "))) return ... end"
  }

  /// What other languages write where the parser stumbles over something else.
  var foreign: String? {
    let words = tokens.filter { $0.line == line && !$0.isString }.map(\.text)
    let pairs = Array(zip(words, words.dropFirst()))
    if pairs.contains(where: { ["let", "var", "const"].contains($0) && $1 == near }) {
      return "Lua declares a name with local"
    }
    if near == "?" {
      if pairs.contains(where: { $0 == "?" && $1 == "?" }) { return "Lua has no ??; write a or b" }
      if pairs.contains(where: { $0 == "?" && $1 == "." }) {
        return "Lua has no ?.; write a and a.b"
      }
    }
    guard words.contains("{"), !words.contains("then"), !words.contains("do"),
      let word = words.first(where: { ["if", "while", "for"].contains($0) })
    else { return nil }
    return "a block has no braces: \(word) ... \(word == "if" ? "then" : "do") ... end"
  }

  /// Whether what stands before a place are the parameters of a function that is a value.
  private func beginsFunction(_ words: [LuaTokens.Token], before place: Int) -> Bool {
    guard place > 0 else { return false }
    guard words[place - 1].text == ")" else {
      let isName = LuaText.isName(words[place - 1].text) && !words[place - 1].isString
      return isName && place > 1 && ["=", "(", ",", "{"].contains(words[place - 2].text)
    }
    let start = words[..<place].lastIndex { $0.text == "(" } ?? 0
    return start > 0 && ["=", "(", ",", "{", "return"].contains(words[start - 1].text)
  }

  /// What is missing where more blocks begin than end.
  func missing(_ message: String) -> String? {
    let words = tokens.filter { !$0.isString }.map(\.text)
    let open = words.count { ["function", "if", "do"].contains($0) }
    let closed = words.count { $0 == "end" }
    if message.hasPrefix("<eof> expected"), near == "end", open < closed {
      return "is this end one too many?"
    }
    guard open > closed, !message.hasPrefix("'then' expected"), !message.hasPrefix("'do' expected")
    else { return nil }
    return near == "<eof>" ? "is an end missing above?" : "is an end missing before \(near)?"
  }
}
