import CoreDataStore
import Lua

/// Reads the table that the file of a stage returns, and collects everything that is wrong with it.
struct LuaStageReader {
  enum Word: String, CaseIterable {
    case name, summary, details, options, consumes, touches, example, run, resume, retry
  }

  private let file: ScriptFile
  private let tokens: LuaTokens
  private let start: Int
  var problems: [Problem] = []

  init(_ file: ScriptFile) {
    self.file = file
    tokens = LuaTokens(file.text)
    start = tokens.lineOfResult ?? 0
  }

  /// What the file returned, as a stage; nil when it is none, and then mistakes were noted.
  mutating func stage(_ result: LuaReference, digest: String) throws(LuaError) -> LuaStage? {
    guard result.kind == .table else {
      report(start, "the file returns \(result.kind.phrase); a stage returns one table")
      return nil
    }
    try checkWords(result)
    let name = try text(.name, of: result, isRequired: true)
    let summary = try text(.summary, of: result, isRequired: true)
    let details = try text(.details, of: result), example = try text(.example, of: result)
    if let name, !LuaText.isName(name) || name.hasPrefix("_") || name != name.lowercased() {
      report(line([.name]), "'name' must be a word of small letters, digits and _")
    }
    let options = try readOptions(result)
    try checkConsumed(result)
    try checkFunctions(result)
    guard problems.isEmpty, let name, let summary else { return nil }
    let description = StageDescription(
      name: name, summary: summary, details: details ?? "", options: options,
      consumes: [.objects], touches: [.destination], place: .inStep, mayRepeat: true,
      example: example ?? "stage \"\(name)\" {}")
    return LuaStage(
      description: description, file: file, digest: digest,
      isResumable: try result.field(Word.resume.rawValue).kind == .function,
      isRetriable: try result.field(Word.retry.rawValue).kind == .function)
  }

  mutating func report(_ line: Int, _ message: String) {
    problems.append(Problem(file: file.path, line: line, message: message))
  }

  /// The line on which a word stands, or a name below one.
  func line(_ words: [Word], _ names: [String] = []) -> Int {
    start > 0 ? tokens.line(of: words.map(\.rawValue) + names, in: "return", at: start) : 0
  }

  private mutating func checkWords(_ result: LuaReference) throws(LuaError) {
    let words = Word.allCases.map(\.rawValue)
    for key in try result.keys() {
      guard let name = key.text else {
        report(start, "the stage's table has a value without a name; every value has one")
        continue
      }
      guard !words.contains(name) else { continue }
      let near = NearestName.quoted(for: name, among: words)
      let line = start > 0 ? tokens.line(of: [name], in: "return", at: start) : 0
      report(line, "a stage has no '\(name)'\(near)")
    }
  }

  private mutating func text(
    _ word: Word, of result: LuaReference, isRequired: Bool = false
  ) throws(LuaError) -> String? {
    let value = try result.field(word.rawValue)
    if value.kind == .null, !isRequired { return nil }
    guard value.kind == .string, let text = try value.value().text, !text.isEmpty else {
      report(line([word]), "'\(word.rawValue)' must be a text, not \(value.kind.phrase)")
      return nil
    }
    return text
  }

  private mutating func readOptions(
    _ result: LuaReference
  ) throws(LuaError) -> [OptionDescription] {
    let options = try result.field(Word.options.rawValue)
    guard options.kind != .null else { return [] }
    guard options.kind == .table else {
      report(line([.options]), "'options' must be a table, not \(options.kind.phrase)")
      return []
    }
    var found: [(line: Int, option: OptionDescription)] = []
    for key in try options.keys() {
      guard let name = key.text, LuaText.isName(name), !name.hasPrefix("_") else {
        report(line([.options]), "'options' has a value without the name of an option")
        continue
      }
      let line = line([.options], [name])
      let value = try options.field(name)
      var reader = LuaOptionReader(name, file: file, line: line)
      if let option = try reader.option(value) { found.append((line, option)) }
      problems += reader.problems
    }
    return found.sorted { ($0.line, $0.option.name) < ($1.line, $1.option.name) }.map(\.option)
  }

  private mutating func checkConsumed(_ result: LuaReference) throws(LuaError) {
    let value = try result.field(Word.consumes.rawValue)
    guard value.kind != .null else { return }
    let only = LuaValue.list([.text(StageResource.objects.rawValue)])
    guard value.kind == .table, try value.value() == only else {
      return report(line([.consumes]), "a stage in Lua consumes { \"objects\" }, and nothing else")
    }
  }

  private mutating func checkFunctions(_ result: LuaReference) throws(LuaError) {
    for word in [Word.run, .resume, .retry] {
      let kind = try result.field(word.rawValue).kind
      if kind == .function || (kind == .null && word != .run) { continue }
      report(
        line([word]),
        "'\(word.rawValue)' must be a function, not \(kind.phrase): "
          + "\(word.rawValue) = function(ctx) ... end")
    }
    let touches = try result.field(Word.touches.rawValue).kind
    guard touches != .table, touches != .function else { return }
    report(
      line([.touches]),
      "'touches' must be a list of what the stage may change, or a function of the options that "
        + "returns one, not \(touches.phrase): touches = { \"Note.title\" }")
  }
}
