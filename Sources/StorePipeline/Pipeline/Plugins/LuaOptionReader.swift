import CoreDataStore
import Lua

/// Reads what the file of a stage says of one of its options.
struct LuaOptionReader {
  private static let words = [
    "type", "list", "choices", "min", "max", "default", "required", "help",
  ]
  private static let types = [
    "boolean", "integer", "number", "text", "choice", "entity", "property", "properties",
    "duration", "size", "path", "data",
  ]

  private let name: String
  private let file: ScriptFile
  private let line: Int
  private(set) var problems: [Problem] = []

  init(_ name: String, file: ScriptFile, line: Int) {
    (self.name, self.file, self.line) = (name, file, line)
  }

  /// The option; nil when it cannot be understood, and then mistakes were noted.
  mutating func option(_ reference: LuaReference) throws(LuaError) -> OptionDescription? {
    guard reference.kind == .table, case .table(let table) = try reference.value() else {
      report("must be a table: \(name) = { type = \"text\", help = \"...\" }")
      return nil
    }
    for key in table.pairs.map(\.key) where key.name.map(Self.words.contains) != true {
      let word = key.name ?? "a value without a name"
      report("has no '\(word)'\(NearestName.quoted(for: word, among: Self.words))")
    }
    guard let help = table["help"]?.text, !help.isEmpty else {
      report("needs a 'help' that says what it is for")
      return nil
    }
    let isRequired = flag("required", table), isList = flag("list", table)
    guard var type = type(of: table), problems.isEmpty else { return nil }
    if isList { type = .oneOrMore(type) }
    let plain = OptionDescription(name, type, isRequired: isRequired, help: help)
    guard let value = table["default"] else { return plain }
    guard !isRequired else {
      report("is required, and needs no 'default'")
      return nil
    }
    return checked(value, plain).map {
      OptionDescription(name, type, default: $0, help: help)
    }
  }

  private mutating func report(_ message: String) {
    problems.append(Problem(file: file.path, line: line, message: "option '\(name)' \(message)"))
  }

  private mutating func flag(_ word: String, _ table: LuaTable) -> Bool {
    guard let value = table[word] else { return false }
    guard let flag = value.boolean else {
      report("has a '\(word)' that is a \(value.typeName); it must be a boolean")
      return false
    }
    return flag
  }

  private mutating func type(of table: LuaTable) -> OptionType? {
    guard let word = table["type"]?.text else {
      report("needs a 'type': \(Self.types.joined(separator: ", "))")
      return nil
    }
    switch word {
    case "boolean": return .boolean
    case "integer": return integer(table)
    case "number":
      let (low, high) = (table["min"]?.number, table["max"]?.number)
      let most = Double.greatestFiniteMagnitude
      return (low ?? -most) <= (high ?? most) ? .number((low ?? -most)...(high ?? most)) : empty()
    case "text": return .text
    case "choice": return choice(table)
    case "entity": return .name(.entity)
    case "property": return .name(.property)
    case "properties": return .name(.loss)
    case "duration": return .duration
    case "size": return .size
    case "path": return .path(.existing)
    case "data": return .anything
    default:
      report("has an unknown type '\(word)'\(NearestName.quoted(for: word, among: Self.types))")
      return nil
    }
  }

  private mutating func integer(_ table: LuaTable) -> OptionType? {
    let low = table["min"]?.integer ?? OptionType.exact.lowerBound
    let high = table["max"]?.integer ?? OptionType.exact.upperBound
    return low <= high ? .integer(low...high) : empty()
  }

  private mutating func empty() -> OptionType? {
    report("has a 'min' that is higher than its 'max'")
    return nil
  }

  private mutating func choice(_ table: LuaTable) -> OptionType? {
    let names = table["choices"]?.table?.list.compactMap(\.text) ?? []
    guard !names.isEmpty else {
      report("needs 'choices', a list of texts")
      return nil
    }
    return .choice(names)
  }

  /// A default, checked against the option as a value in a pipeline file would be.
  private mutating func checked(_ value: LuaValue, _ option: OptionDescription) -> OptionValue? {
    let construct = RawConstruct(
      kind: "option", name: name, line: line,
      body: RawTable(fields: [name: RawValue(value)]))
    let source = PipelineSource(file: file.path, folder: file.folder)
    var reader = OptionReader("the stage", construct, of: source, checksFiles: false)
    let values = reader.read([option])
    problems += reader.problems.map {
      Problem(file: $0.file, line: $0.line, message: "the default of \($0.message)")
    }
    return values[name]
  }
}

extension RawValue {
  /// Plain data as a pipeline file would have it.
  fileprivate init(_ value: LuaValue) {
    switch value {
    case .null: self = .unusable("nil")
    case .opaque(let type): self = .unusable("a \(type)")
    case .boolean(let value): self = .boolean(value)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .number(value)
    case .string: self = value.text.map(RawValue.text) ?? .unusable("a string that is not UTF-8")
    case .table(let table):
      let fields = table.fields.compactMap { key, value in key.name.map { ($0, RawValue(value)) } }
      self = .table(
        RawTable(
          list: table.list.map(RawValue.init), fields: Dictionary(fields) { first, _ in first }))
    }
  }
}
