import CoreDataStore
internal import Lua

/// Reads what a test file describes, and collects everything that is wrong with it.
struct TestReader {
  /// The kinds of value an option takes.
  private enum Form {
    case text, number, table, function, textOrList
  }

  private let file: ScriptFile
  private(set) var problems: [Problem] = []

  private static let options: [String: [String: Form]] = [
    "script": [
      "entity": .text, "pipeline": .text, "models": .textOrList, "from": .text, "to": .text,
      "params": .table, "set": .table,
    ],
    "case": [
      "given": .table, "expect": .table, "error": .text, "warning": .text, "golden": .text,
    ],
    "property": ["objects": .number, "check": .function, "allow": .textOrList],
    "migration": [
      "pipeline": .text, "from": .text, "store": .table, "expect": .table, "error": .text,
      "golden": .text, "set": .table,
    ],
  ]

  init(_ file: ScriptFile) { self.file = file }

  /// The tests of a file, each with the script that was named last.
  mutating func tests(_ entries: [LuaValue]) -> [TestDescription] {
    var script: TestScript?
    var tests: [TestDescription] = []
    for (offset, entry) in entries.enumerated() {
      guard let parts = entry.table?.list, parts.count == 4, let word = parts[0].text,
        let name = parts[1].text
      else { continue }
      let line = Int(parts[2].integer ?? 0)
      guard let body = parts[3].table else {
        report(line, "\(word) \(LuaText.quoted(name)) has no table behind it")
        continue
      }
      check(body, of: word, line)
      if word == "script" {
        script = TestScript(name: name, line: line, options: body)
      } else if let kind = TestDescription.Kind(rawValue: word) {
        let test = TestDescription(
          kind: kind, name: name, line: line, place: offset + 1, options: body, script: script)
        check(test)
        tests.append(test)
      }
    }
    if tests.isEmpty, problems.isEmpty {
      report(0, "the file has no tests: case \"...\" { given = { ... }, expect = { ... } }")
    }
    return tests
  }

  private mutating func check(_ body: LuaTable, of word: String, _ line: Int) {
    let known = Self.options[word] ?? [:]
    for (key, value) in body.pairs {
      guard let name = key.name else {
        report(line, "'\(word)' takes options with names, not a list")
        return
      }
      guard let form = known[name] else {
        let near = NearestName.of(name, among: known.keys.sorted()).map {
          "; did you mean '\($0)'?"
        }
        let given = word == "case" ? "; the object's values stand in given = { ... }" : ""
        report(line, "'\(word)' has no option '\(name)'\(near ?? given)")
        continue
      }
      if let wanted = Self.misfit(value, form) {
        report(line, "option '\(name)' must be \(wanted), not a \(value.typeName)")
      }
    }
  }

  /// What an option must be, where a value is something else.
  private static func misfit(_ value: LuaValue, _ form: Form) -> String? {
    let isFunction = value.table?[TestPrelude.function] != nil
    return switch form {
    case .text: value.text == nil ? "a text" : nil
    case .number: value.integer.map { $0 > 0 } == true ? nil : "a whole number above 0"
    case .table: value.table == nil || isFunction ? "a table" : nil
    case .function: isFunction ? nil : "a function"
    case .textOrList:
      value.text == nil && value.table?.list.allSatisfy { $0.text != nil } != true
        ? "a text or a list of texts" : nil
    }
  }

  private mutating func check(_ test: TestDescription) {
    // One mistake a test: what is misspelt is not missing as well.
    guard !problems.contains(where: { $0.line == test.line }) else { return }
    let has = { (name: String) in test.options[name] != nil }
    switch test.kind {
    case .case:
      if test.script == nil { report(test.line, Self.noScript(test)) }
      if !has("given") { report(test.line, "a case needs 'given', the object it is about") }
      if !["expect", "error", "warning", "golden"].contains(where: has) {
        report(test.line, "a case needs 'expect', 'error', 'warning' or 'golden'")
      }
    case .property:
      if test.script == nil { report(test.line, Self.noScript(test)) }
    case .migration:
      if !has("pipeline"), test.script?.text("pipeline") == nil { break }
      if !["expect", "error", "golden"].contains(where: has) {
        report(test.line, "a migration needs 'expect', 'error' or 'golden'")
      }
    }
  }

  private static func noScript(_ test: TestDescription) -> String {
    "no script is named above; write script \"name.lua\" { entity = \"...\" } first"
  }

  private mutating func report(_ line: Int, _ message: String) {
    problems.append(Problem(file: file.path, line: line, message: message))
  }
}
