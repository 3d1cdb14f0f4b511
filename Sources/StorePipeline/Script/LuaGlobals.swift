/// The globals that a Lua text reads and nowhere assigns.
///
/// Lua reports a name that is not there when the line runs. This says so before, from the words
/// alone, and nothing where it is not sure: a local counts to the end of its function, also behind
/// its block; what stands behind `or` may never be read; and a text that calls its own functions in
/// protected mode, or gets at the table of globals, may read on purpose what is not there.
struct LuaGlobals {
  /// A global that is read, and the field that is read of it: `upper` of `string.upper`.
  struct Read: Sendable, Equatable {
    let name: String
    let field: String?
    let line: Int
  }

  /// In the order of the text.
  var reads: [Read] {
    isUncertain || !guarded.isDisjoint(with: assigned)
      ? [] : found.filter { !assigned.contains($0.name) }
  }
  /// The names of all locals, parameters and variables of loops.
  private(set) var locals: Set<String> = []

  private enum Block { case function, table, other }

  private let words: [LuaTokens.Token]
  private var found: [Read] = []
  private var assigned: Set<String> = []
  /// What is called in protected mode: the sandbox's own functions read no globals of the text.
  private var guarded: Set<String> = []
  private var isUncertain = false
  private var blocks: [Block] = []
  /// The locals of the file, and of each function around the current place.
  private var scopes: [Set<String>] = [[]]

  /// Reads a text that Lua compiles.
  init(_ text: [UInt8]) {
    // A byte-order mark is no part of the first word.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    words = LuaTokens(text.starts(with: mark) ? Array(text.dropFirst(mark.count)) : text).tokens
    var place = 0
    while place < words.count { place = take(place) }
  }

  /// Takes in what begins at a place, and gives back the place behind it.
  private mutating func take(_ place: Int) -> Int {
    switch word(place) {
    case "function": return takeFunction(place)
    case "local" where word(place + 1) == "function":
      if let name = name(place + 2) { declare(name) }
    case "local", "for": return takeNames(place + 1)
    case "goto": return place + 2
    // A label, `::next::`.
    case ":" where word(place + 1) == ":": return place + 5
    case "do", "if", "repeat": blocks.append(.other)
    case "{": blocks.append(.table)
    case "}": _ = blocks.popLast()
    case "end", "until":
      if blocks.popLast() == .function, scopes.count > 1 { scopes.removeLast() }
    case "=": assign(place)
    default: read(place)
    }
    return place + 1
  }
}

// Words.
extension LuaGlobals {
  /// The word at a place; empty for a string, and where there is none.
  private func word(_ place: Int) -> String {
    words.indices.contains(place) && !words[place].isString ? words[place].text : ""
  }

  /// The name at a place, which may be a field's.
  private func name(_ place: Int) -> String? {
    let word = word(place)
    return LuaText.key(word) == word ? word : nil
  }

  /// Whether the name at a place stands behind a dot or a colon; two dots join texts, and two
  /// colons end a label.
  private func isField(_ place: Int) -> Bool {
    [".", ":"].contains(word(place - 1)) && word(place - 2) != word(place - 1)
  }
}

// Names that are declared.
extension LuaGlobals {
  private mutating func declare(_ name: String) {
    if name == "_ENV" { isUncertain = true }
    scopes[scopes.count - 1].insert(name)
    locals.insert(name)
  }

  private func isLocal(_ name: String) -> Bool { scopes.contains { $0.contains(name) } }

  /// The names behind `local` or `for`, up to the first value.
  private mutating func takeNames(_ start: Int) -> Int {
    var place = start
    while let name = name(place) {
      declare(name)
      place += word(place + 1) == "<" ? 4 : 1
      guard word(place) == "," else { break }
      place += 1
    }
    return word(place) == "=" ? place + 1 : place
  }

  /// A function's own name and its parameters.
  private mutating func takeFunction(_ start: Int) -> Int {
    var place = start + 1
    if let name = name(place) {
      if word(place + 1) != "(" { read(place) } else if !isLocal(name) { assigned.insert(name) }
    }
    blocks.append(.function)
    scopes.append([])
    while place < words.count, word(place) != "(" {
      if word(place) == ":" { declare("self") }
      place += 1
    }
    while place < words.count, word(place) != ")" {
      if let name = name(place) { declare(name) }
      place += 1
    }
    return place
  }

  /// Notes the globals in front of a `=`: `a, b.c, d = 1, 2, 3`.
  private mutating func assign(_ place: Int) {
    // The `=` of a table's field, and of `<=`.
    guard blocks.last != .table, !["<", ">", "~"].contains(word(place - 1)) else { return }
    var end = place - 1
    while let start = targetStart(end) {
      if start == end, let name = name(start), !isLocal(name) { assigned.insert(name) }
      guard word(start - 1) == "," else { return }
      end = start - 2
    }
  }

  /// Where the target of an assignment begins that ends at a place; nil behind a call.
  private func targetStart(_ end: Int) -> Int? {
    var place = end
    while place >= 0 {
      if word(place) == "]" {
        var depth = 0
        repeat {
          if word(place) == "]" { depth += 1 }
          if word(place) == "[" { depth -= 1 }
          place -= 1
        } while place >= 0 && depth > 0
      } else if name(place) == nil {
        return nil
      } else if isField(place) {
        place -= 2
      } else {
        return place
      }
    }
    return nil
  }
}

// Names that are read.
extension LuaGlobals {
  /// Notes what stands at a place, if it is a global that is read.
  private mutating func read(_ place: Int) {
    guard let name = name(place), !isField(place) else { return }
    switch name {
    case "_ENV", "_G", "_VERSION": isUncertain = true
    case "pcall", "xpcall": noteGuarded(place + 1)
    default: break
    }
    let isKey = blocks.last == .table && word(place + 1) == "="
    guard !isKey, !isLocal(name), word(place - 1) != "or" else { return }
    let isRead = word(place + 1) == "." && word(place + 3) != "="
    found.append(
      Read(name: name, field: isRead ? self.name(place + 2) : nil, line: words[place].line))
  }

  /// Notes what a call in protected mode calls, by the place of its arguments.
  private mutating func noteGuarded(_ place: Int) {
    if word(place) == "(", let called = name(place + 1), !isLocal(called) {
      guarded.insert(called)
    } else {
      isUncertain = true
    }
  }
}
