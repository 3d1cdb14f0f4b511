import CoreDataStore
import Lua

/// Evaluates the Lua of a pipeline file: once, in the sandbox, with a small budget.
struct PipelineEvaluation: Sendable {
  /// What errors inside the interpreter call the file; short, because Lua cuts long names.
  private static let chunk = "pipeline file"

  /// What describing a pipeline never needs more of.
  private static let limits = LuaLimits(
    memory: 16 << 20, time: .seconds(5), instructions: 20_000_000)

  /// Unknown words after which the rest of the file is not looked at any more.
  private static let mostUnknownWords = 10

  let file: String
  let folder: String
  let text: [UInt8]
  let settings: PipelineSettings
  /// The names of the stages there are.
  let stages: [String]

  /// What the file says.
  ///
  /// A word that does not exist is reported and passed over, so that the mistakes behind it are
  /// found in the same go.
  func source() throws -> PipelineSource {
    var unknown: [String: Problem] = [:]
    while true {
      let (source, next) = try evaluate(passingOver: unknown.keys.sorted())
      if let next { unknown[next.word] = next.problem }
      if next == nil || unknown.count == Self.mostUnknownWords {
        var source = source
        source.problems += unknown.values
        return source
      }
    }
  }

  /// What one evaluation came to, and the unknown word that ended it.
  private func evaluate(
    passingOver unknown: [String]
  ) throws -> (source: PipelineSource, next: (word: String, problem: Problem)?) {
    let state = try LuaState(limits: Self.limits)
    let recorder = Recorder(self, in: state)
    try recorder.define()
    let prelude = try state.load(Prelude.text, name: Prelude.name).callKeepingResult()
    try state.define(Prelude.module, as: nil)
    let words = try prelude.field("words")
    for word in Prelude.words { try state.define(word, as: words.field(word)) }
    for word in unknown { try state.define(word, as: prelude.field("unknown")) }
    var source = recorder.source
    do {
      try state.load(text, name: Self.chunk).call()
      recorder.checkSettings()
    } catch {
      let problem = recorder.problem(of: error)
      if let word = Self.unknownWord(in: error), !unknown.contains(word) {
        return (source, (word, hint(problem, word)))
      }
      source.problems.append(problem)
      // A stopped state answers nothing more.
      if error.kind != .error {
        source.problems += recorder.problems
        return (source, nil)
      }
    }
    source.problems += recorder.problems
    source.parameters = recorder.parameters
    try Self.collect(prelude.field("finish").call(), into: &source)
    return (source, nil)
  }

  /// The mistake of a word that is a stage's name, with the way to write it.
  private func hint(_ problem: Problem, _ word: String) -> Problem {
    let form =
      stages.contains(word)
      ? "stage \(LuaText.quoted(word)) { ... }" : unquoted(word, problem) ?? option(word, problem)
    guard let form else { return problem }
    return Problem(
      file: problem.file, line: problem.line, message: "unknown name '\(word)'; write \(form)")
  }

  /// A name in quotes, where a word with a capital, or with a property, has none, or one that is
  /// the value of an option.
  private func unquoted(_ word: String, _ problem: Problem) -> String? {
    let words = LuaTokens(text).tokens.filter { $0.line == problem.line }
    guard let place = words.firstIndex(where: { $0.text == word && !$0.isString }) else {
      return nil
    }
    let next = words.dropFirst(place + 1).prefix(2).map(\.text)
    let quoted = LuaText.quoted(next.first == "." ? word + next.joined() : word)
    if word.first?.isUppercase == true { return quoted }
    let before = words[..<place].suffix(2).map(\.text)
    guard before.count == 2, next.first.map({ ["}", ")", ","].contains($0) }) ?? true else {
      return nil
    }
    switch before[1] {
    case "=" where LuaText.isName(before[0]): return "\(before[0]) = \(quoted)"
    case "(" where ["from", "convert"].contains(before[0]): return "\(before[0])(\(quoted))"
    default: return nil
    }
  }

  /// An option of a stage that is called like a rule.
  private func option(_ word: String, _ problem: Problem) -> String? {
    let words = LuaTokens(text).tokens.filter { $0.line == problem.line }
    guard let place = words.firstIndex(where: { $0.text == word && !$0.isString }),
      let next = words.dropFirst(place + 1).first, next.isString || next.text == "{",
      StageRegistry.standard.first(where: { $0.options.contains { $0.name == word } }) != nil
    else { return nil }
    return "\(word) = ..."
  }

  /// A message of Lua with what a beginner has most likely done.
  private func hinted(_ message: String, line: Int) -> String {
    let assigned = Prelude.words.first { message.hasPrefix("'\($0)' is the sandbox's own") }
    if let word = assigned {
      let isNamed = Self.named.contains(word)
      let form = isNamed ? #"\#(word) "name""# : word
      return "'\(word)' takes no equals sign: \(form) { ... }"
    }
    guard message.hasSuffix("be kept as plain data") else {
      return unclosed(message) ?? unnamed(message, line: line)
        ?? ScriptMessage.hinted(message, line: line, of: text)
    }
    return "the file returns a value, as a script does; a pipeline file says "
      + #"pipeline "name" { ... }, and then its stages"#
  }

  /// The message about a word like `stage` whose name has no quotes, or follows a colon.
  private func unnamed(_ message: String, line: Int) -> String? {
    let tokens = LuaTokens(text).tokens.filter { $0.line == line }
    let word = tokens.firstIndex { !$0.isString && Self.named.contains($0.text) }
    guard message.contains(" near "), let word, word + 1 < tokens.count else { return nil }
    let rest = tokens[(word + 1)...]
    let name: String
    if rest.first?.text == ":", let text = rest.dropFirst().first, text.isString {
      name = text.text
    } else if rest.first.map({ !$0.isString && LuaText.isName($0.text) }) == true {
      name = rest.prefix { $0.text != "{" && !$0.isString }.map(\.text).joined(separator: " ")
    } else {
      return nil
    }
    let form = "\(tokens[word].text) \(LuaText.quoted(name)) { ... }"
    return "\(message); a name in quotes, and then a table: \(form)"
  }

  private static let named = ["pipeline", "stage", "step", "param"]

  /// The message about a table that another word of the file follows: its brace is missing.
  private func unclosed(_ message: String) -> String? {
    let pattern = /close '\{' at line (\d+)\) near '(stage|step|pipeline)'/
    guard let start = message.firstMatch(of: pattern) else { return nil }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let number = (Int(start.1) ?? 0) - 1
    let line = lines.indices.contains(number) ? lines[number] : []
    let opening = String(decoding: line, as: UTF8.self)
    // In a step a stage follows a stage, after a comma.
    guard start.2 != "stage" || !opening.contains("step") else { return nil }
    return "\(message); is a } missing before \(start.2)?"
  }

  /// The word that the sandbox did not know: "unknown name 'bakup'; did you mean ...".
  private static func unknownWord(in error: LuaError) -> String? {
    guard error.kind == .error else { return nil }
    return error.message.prefixMatch(of: /unknown name '([A-Za-z_][A-Za-z0-9_]*)'/).map {
      String($0.1)
    }
  }

  /// Takes over what the prelude has gathered.
  private static func collect(_ values: [LuaValue], into source: inout PipelineSource) {
    var decoder = RawDecoder()
    for value in values.first?.table?.list ?? [] { decoder.add(value) }
    source.constructs = decoder.free
    for item in values.last?.table?.list ?? [] {
      guard let parts = item.table?.list, parts.count == 3, let word = parts[0].text,
        let name = parts[1].text
      else { continue }
      let start = "\(word) \(LuaText.quoted(name))"
      source.problems.append(
        source.problem(
          Int(parts[2].integer ?? 0), "\(start) has no table behind it; write \(start) {}"))
    }
  }
}

extension PipelineEvaluation {
  /// What the words of the file report to the host while it is evaluated.
  private final class Recorder {
    private let evaluation: PipelineEvaluation
    // The state holds the functions that hold this.
    private unowned let state: LuaState
    private(set) var problems: [Problem] = []
    private(set) var parameters: [PipelineParameter] = []
    private var declared: Set<String> = []
    /// The file with nothing known of it but its words.
    let source: PipelineSource
    private var lastLine = 0

    init(_ evaluation: PipelineEvaluation, in state: LuaState) {
      self.evaluation = evaluation
      self.state = state
      source = PipelineSource(
        file: evaluation.file, folder: evaluation.folder, tokens: LuaTokens(evaluation.text))
    }

    func define() throws {
      try state.define("line", in: Prelude.module) { [unowned self] _ in [.integer(Int64(line()))] }
      try state.define("problem", in: Prelude.module) { [unowned self] arguments in
        let names = arguments.dropFirst(2).first?.table?.list.compactMap(\.text) ?? []
        let near = arguments.dropFirst().first?.text.flatMap { NearestName.of($0, among: names) }
        let suggestion = near.map { "; did you mean '\($0)'?" } ?? ""
        report(line(), (arguments.first?.text ?? "a mistake without words") + suggestion)
        return []
      }
      try state.define("variable", in: Prelude.module) { [unowned self] arguments in
        let name = arguments.first?.text ?? ""
        return evaluation.settings.environment[name].map { [.text($0)] } ?? []
      }
      try state.define("parameter", in: Prelude.module) { [unowned self] arguments in
        guard arguments.count == 2, let name = arguments[0].text else { return [] }
        return declare(name, RawDecoder().value(arguments[1])).map { [$0] } ?? []
      }
    }

    /// The line of the file that led to the function now running.
    private func line() -> Int {
      var level = 1
      while let place = state.caller(level: level) {
        if place.file == PipelineEvaluation.chunk {
          lastLine = place.line
          return place.line
        }
        level += 1
      }
      return lastLine
    }

    private func report(_ line: Int, _ message: String) {
      guard problems.count < OptionReader.mostProblems else { return }
      problems.append(Problem(file: evaluation.file, line: line, message: message))
    }

    private func declare(_ name: String, _ options: RawValue) -> LuaValue? {
      declared.insert(name)
      guard case .table(let body) = options else {
        report(line(), "param '\(name)' needs a table of plain data, not \(options.kind)")
        return nil
      }
      let construct = RawConstruct(kind: "param", name: name, line: line(), body: body)
      var reader = ParameterReader(construct, of: source, settings: evaluation.settings)
      let parameter = reader.parameter()
      reader.problems.forEach { report($0.line, $0.message) }
      if let parameter { parameters.append(parameter) }
      return parameter?.value.luaValue
    }

    /// An error of the interpreter's as a mistake in the file.
    func problem(of error: LuaError) -> Problem {
      var line = error.line
      if error.file == Prelude.name {
        let mark = "\t\(PipelineEvaluation.chunk):"
        let place = error.traceback.split(separator: "\n").first { $0.hasPrefix(mark) }
        let digits = place?.dropFirst(mark.count).prefix(while: \.isNumber)
        line = digits.flatMap { Int($0) } ?? lastLine
      }
      let message = error.message.replacing("\(PipelineEvaluation.chunk):", with: "line ")
      return Problem(
        file: evaluation.file, line: line,
        message: ScriptMessage.text(evaluation.hinted(message, line: line)))
    }

    /// Reports values for params that the file does not have; only a file that was evaluated to
    /// its end is known to lack them.
    func checkSettings() {
      let names = declared.sorted()
      for name in evaluation.settings.parameters.keys.sorted() where !declared.contains(name) {
        let near = NearestName.of(name, among: names).map { "; did you mean '\($0)'?" }
        let known =
          names.isEmpty
          ? "; declare it in the file: param \(LuaText.quoted(name)) { default = ... }"
          : "; it has \(names.map { "'\($0)'" }.joined(separator: ", "))"
        report(0, "--set \(name): the file has no such param\(near ?? known)")
      }
    }
  }
}
