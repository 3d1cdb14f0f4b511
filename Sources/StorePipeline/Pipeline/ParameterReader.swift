import Lua

/// Reads `param "name" { default = ..., help = ... }` and finds the value it has.
struct ParameterReader {
  private static let options = [
    OptionDescription("default", .constant, help: "The value it has unless it is set."),
    OptionDescription("help", .text, help: "What it is for."),
  ]

  private let construct: RawConstruct
  private let source: PipelineSource
  private let settings: PipelineSettings
  /// The mistakes that were found.
  private(set) var problems: [Problem] = []

  init(_ construct: RawConstruct, of source: PipelineSource, settings: PipelineSettings) {
    self.construct = construct
    self.source = source
    self.settings = settings
  }

  /// The param with its value; nil when it has none, and then a mistake was reported.
  mutating func parameter() -> PipelineParameter? {
    let owner = "param '\(construct.name)'"
    guard LuaText.isName(construct.name) else {
      report("\(owner) needs a name of letters, digits and underscores")
      return nil
    }
    var reader = OptionReader(owner, construct, of: source, checksFiles: false)
    let options = reader.read(Self.options)
    problems += reader.problems
    guard reader.problems.isEmpty, let value = value(default: options["default"]) else {
      return nil
    }
    return PipelineParameter(
      name: construct.name, value: value, default: options["default"], help: options["help"]?.text)
  }

  private mutating func value(default standard: OptionValue?) -> OptionValue? {
    let name = construct.name
    guard let (text, origin) = settings.value(of: name) else {
      if standard == nil {
        report("param '\(name)' has no default: set it with --set \(name)=VALUE")
      }
      return standard
    }
    let expectation: String
    switch standard {
    case .boolean:
      if text == "true" || text == "false" { return .boolean(text == "true") }
      expectation = "true or false"
    case .integer:
      if let value = Int64(text), OptionType.exact.contains(value) { return .integer(value) }
      expectation = "a whole number"
    case .number:
      if let value = Double(text), value.isFinite { return .number(value) }
      expectation = "a number"
    default: return .text(text)
    }
    report("param '\(name)' must be \(expectation), and \(origin) is \(LuaText.quoted(text))")
    return nil
  }

  private mutating func report(_ message: String) {
    problems.append(source.problem(construct.line, message))
  }
}

extension OptionValue {
  /// The value of a param as the file sees it.
  var luaValue: LuaValue {
    switch self {
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .number(let value): .real(value)
    case .text(let text): .text(text)
    default: .null
    }
  }
}
