import CoreDataStore
import Lua

/// Reads the table that a script returns, and collects everything that is wrong with it.
struct ScriptOutlineReader {
  private static let words = ["attributes", "creates"] + ScriptHook.allCases.map(\.rawValue)

  private let file: ScriptFile
  private let tokens: LuaTokens
  private let start: Int
  private(set) var creates: [String] = []
  private(set) var attributes: [String: ScriptAttribute] = [:]
  private(set) var hooks: Set<ScriptHook> = []
  private(set) var lines: [String: Int] = [:]
  private(set) var warnings: [Problem] = []
  var problems: [Problem] = []
  private var texts: [LuaState.Source] = []
  /// The name that `create` has for the object that it is given.
  private var source = ""

  private var files: [(name: String, tokens: LuaTokens)] {
    texts.map { (file.name(of: $0.name), LuaTokens($0.text)) }
  }

  /// The fields and texts of the file and of those that it requires.
  var mentions: Set<String> {
    let files = texts.isEmpty ? [tokens] : texts.map { LuaTokens($0.text) }
    return files.reduce(into: []) { names, file in
      for (before, token) in zip([nil] + file.tokens.map(Optional.some), file.tokens)
      where token.isString || before?.text == "." { names.insert(token.text) }
    }
  }

  /// The names that a value may be given to: those it mentions, and those with a `=` behind them.
  var gives: Set<String> {
    let files = texts.isEmpty ? [tokens] : texts.map { LuaTokens($0.text) }
    return files.reduce(into: mentions) { names, file in
      let words = file.tokens
      for (place, token) in words.enumerated() where !token.isString {
        let next = words.dropFirst(place + 1).prefix(2).map { $0.isString ? "" : $0.text }
        if next.first == "=", next.last != "=" || next.count == 1 { names.insert(token.text) }
      }
    }
  }

  /// The names that are assigned to, `code = 1` or `a.code, a.name = 1, 2`, and all texts.
  var assigns: Set<String> {
    files.reduce(into: Set<String>()) { names, file in
      let words = file.tokens.tokens
      for (place, token) in words.enumerated() {
        let next = words.dropFirst(place + 1).first.map { $0.isString ? "" : $0.text }
        let isField = place > 0 && words[place - 1].text == "."
        if token.isString || next == "=" || isField && next == "," { names.insert(token.text) }
      }
    }
  }

  /// Where the script, or one that it requires, makes objects.
  var constructions: [ScriptOutline.Construction] {
    files.flatMap { file in
      let words = file.tokens.tokens
      return words.indices.dropFirst().compactMap { place -> ScriptOutline.Construction? in
        let (token, next) = (words[place], words.dropFirst(place + 1).prefix(3))
        guard !token.isString, words[place - 1].text == ".", !words[place - 1].isString,
          let open = next.first, !open.isString, open.text == "{" || open.text == "("
        else { return nil }
        let isDefault = token.text == "default"
        return ScriptOutline.Construction(
          entity: isDefault ? "" : token.text,
          content: isDefault ? .mapped : content(next.map(\.text)),
          isOfNew: place > 1 && words[place - 2].text == "new",
          file: file.name, line: token.line)
      }
    }
  }

  /// What an object has from the beginning by the words behind its entity.
  private func content(_ words: [String]) -> ScriptOutline.Construction.Content {
    if words.first == "{" || ["{", ")"].contains(words.dropFirst().first) { return .written }
    return words == ["(", source, ")"] ? .mapped : .unknown
  }

  /// Whether a value is given to a name that is only known once the script runs: `note[name] = 1`.
  var computesNames: Bool {
    let files = texts.isEmpty ? [tokens] : texts.map { LuaTokens($0.text) }
    return files.contains { file in
      let words = file.tokens
      return words.indices.contains { place in
        guard words[place...].isAssigned, place >= 2 else { return false }
        let (open, name) = (words[place - 2], words[place - 1])
        let isWritten = name.isString ? !name.text.contains("\\") : Int(name.text) != nil
        return !isWritten || open.isString || open.text != "["
      }
    }
  }

  init(_ file: ScriptFile) {
    self.file = file
    tokens = LuaTokens(file.text)
    start = tokens.lineOfResult ?? 0
  }

  /// Reads what the file returned; `texts` are its own and those that it required.
  mutating func read(_ result: LuaReference, _ texts: [LuaState.Source]) throws(LuaError) {
    self.texts = texts
    guard result.kind == .table else {
      let what = result.kind == .null ? "nothing" : result.kind.phrase
      return report(
        start, "the script returns \(what); a script returns one table: return { ... }")
    }
    for key in try result.keys() {
      guard let word = key.text else {
        report(start, "the script's table has a value without a name; every value has one")
        continue
      }
      let line = line(of: [word])
      lines[word] = line
      try read(word, result.field(word), line)
    }
    if !creates.isEmpty, !hooks.contains(.create) {
      report(lines["creates"] ?? start, "'creates' without 'create' makes nothing")
    }
    // An empty table of attributes is a beginning: `pipeline new` writes one.
    if hooks.isEmpty, lines["attributes"] == nil, problems.isEmpty {
      report(start, "the script's table is empty; the mapping alone needs no script")
    }
  }

  private mutating func read(
    _ word: String, _ value: LuaReference, _ line: Int
  ) throws(LuaError) {
    if let hook = ScriptHook(rawValue: word) {
      guard value.kind == .function else {
        return report(
          line, "'\(word)' must be a function, not \(value.kind.phrase): \(hook.usage)")
      }
      hooks.insert(hook)
      if hook == .create { source = try value.parameters().names.first ?? "" }
    } else if word == "creates" {
      try readCreates(value, line)
    } else if word == "attributes" {
      try readAttributes(value, line)
    } else {
      let near = NearestName.of(word, among: Self.words).map { "; did you mean '\($0)'?" }
      let all =
        "; it has \(Self.words.joined(separator: ", ")), and what gives an attribute its value "
        + "stands in attributes = { \(word) = ... }"
      report(line, "a script has no '\(word)'\(near ?? all)")
    }
  }

  private mutating func readCreates(_ value: LuaReference, _ line: Int) throws(LuaError) {
    let example = #"creates = { "Item" }"#
    guard value.kind == .table else {
      return report(line, "'creates' must be a list, not \(value.kind.phrase): \(example)")
    }
    for key in try value.keys() {
      guard let place = key.integer, let name = try value.value().table?.name(at: place) else {
        report(line, "'creates' must be a list of entities' names: \(example)")
        return
      }
      if creates.contains(name) { report(line, "'creates' names '\(name)' twice") }
      creates.append(name)
    }
  }

  private mutating func readAttributes(_ value: LuaReference, _ line: Int) throws(LuaError) {
    guard value.kind == .table else {
      return report(
        line, "'attributes' must be a table of names with functions, not \(value.kind.phrase)")
    }
    for key in try value.keys() {
      guard let name = key.text else {
        report(line, "'attributes' has a value without the name of an attribute")
        continue
      }
      let line = self.line(of: ["attributes", name])
      lines["attributes.\(name)"] = line
      attributes[name] = try attribute(name, value.field(name), line)
    }
  }

  private mutating func attribute(
    _ name: String, _ value: LuaReference, _ line: Int
  ) throws(LuaError) -> ScriptAttribute? {
    if value.kind == .function { return try function(name, value, line) }
    switch try value.kind == .object ? .null : value.value() {
    case .boolean(let value): return .constant(.boolean(value))
    case .integer(let value): return .constant(.integer(value))
    case .real(let value) where value.isFinite: return .constant(.number(value))
    case .table(let table):
      if let source = table[ScriptWords.fromKey]?.text { return .from(source) }
    case let value:
      if let text = value.text { return .constant(.text(text)) }
    }
    report(
      line,
      "attribute '\(name)' must be a function, from \"name\" or a constant, "
        + "not \(value.kind.phrase)")
    return nil
  }

  private mutating func function(
    _ name: String, _ value: LuaReference, _ line: Int
  ) throws(LuaError) -> ScriptAttribute {
    let parameters = try value.parameters()
    lines["attributes.\(name)"] = parameters.line
    if parameters.takesMore {
      report(
        parameters.line,
        "the function of attribute '\(name)' takes '...'; its parameters must name what it reads")
    }
    warn(name, parameters)
    return .function(parameters: parameters.names)
  }

  private mutating func warn(_ name: String, _ function: LuaReference.Parameters) {
    guard let text = texts.first(where: { $0.name == function.chunk })?.text else { return }
    let tokens = function.chunk == ScriptFile.chunk ? tokens : LuaTokens(text)
    guard !tokens.mayReturn(function) else { return }
    warnings.append(
      Problem(
        file: file.name(of: function.chunk), line: function.line,
        message: "the function of attribute '\(name)' has no `return` with a value, and to return "
          + "nothing is an error; write `return nil` to empty it"))
  }

  private func line(of path: [String]) -> Int {
    start > 0 ? tokens.line(of: path, in: "return", at: start) : 0
  }

  private mutating func report(_ line: Int, _ message: String) {
    problems.append(Problem(file: file.path, line: line, message: message))
  }
}

extension ArraySlice<LuaTokens.Token> {
  /// Whether it begins with the end of an index that a value is assigned to.
  fileprivate var isAssigned: Bool {
    let words = prefix(3).map { $0.isString ? "" : $0.text }
    return words.starts(with: ["]", "="]) && words.last != "=" || words == ["]", "="]
  }
}

extension LuaReference.Kind {
  /// The kind with its article.
  var phrase: String {
    switch self {
    case .null: "nil"
    case .object: "an object"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .table: "a table"
    case .function: "a function"
    }
  }
}

extension LuaTable {
  /// The name at a place of a list, counted from 1; nil when there is none.
  fileprivate func name(at place: Int64) -> String? {
    guard place >= 1, place <= list.count, let name = list[Int(place) - 1].text, !name.isEmpty
    else { return nil }
    return name
  }
}

extension LuaTokens {
  /// The line of the file's own `return`, not one of a function's.
  var lineOfResult: Int? {
    var depth = 0
    for token in tokens where !token.isString {
      switch token.text {
      case "function", "do", "if", "repeat": depth += 1
      case "end", "until": depth -= 1
      case "return" where depth == 0: return token.line
      default: break
      }
    }
    return nil
  }
}
