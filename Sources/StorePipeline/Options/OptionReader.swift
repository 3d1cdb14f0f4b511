import CoreDataStore

/// Reads the table of one construct by the descriptions of its options.
struct OptionReader {
  /// Mistakes beyond this many are not collected: no user reads them.
  static let mostProblems = 100

  /// What is read, as mistakes name it: "stage 'copy'".
  let owner: String
  let construct: RawConstruct
  let source: PipelineSource
  /// Whether the files that are named must be there.
  let checksFiles: Bool
  private(set) var problems: [Problem] = []

  init(_ owner: String, _ construct: RawConstruct, of source: PipelineSource, checksFiles: Bool) {
    self.owner = owner
    self.construct = construct
    self.source = source
    self.checksFiles = checksFiles
  }

  /// The options of the construct with defaults filled in; mistakes go to `problems`.
  mutating func read(_ options: [OptionDescription]) -> [String: OptionValue] {
    read(construct.body, OptionTable(options), at: [])
  }

  /// The lines of the options that stand on other lines than the construct.
  func lines(of options: [OptionDescription]) -> [String: Int] {
    var lines: [String: Int] = [:]
    for option in options where construct.body.fields[option.name] != nil {
      let line = source.line(of: [option.name], in: construct)
      if line != construct.line { lines[option.name] = line }
    }
    for option in options where option.isUnnamed && option.type.isList {
      // Each item of a list may stand on a line of its own.
      let items = source.itemLines(in: construct)
      guard items.count == construct.body.list.count else { continue }
      for (place, line) in items.enumerated() where line != construct.line {
        lines["\(option.name).\(place + 1)"] = line
      }
    }
    return lines
  }

  /// The fields of a table inside the construct's.
  mutating func read(
    _ table: RawTable, _ type: OptionTable, at path: [String]
  ) -> [String: OptionValue] {
    let fields = named(table, type.fields, at: path)
    reportUnknown(fields, type.fields, at: path)
    reportAlternatives(fields, type.alternatives, at: path)
    var values: [String: OptionValue] = [:]
    for option in type.fields {
      guard let raw = fields[option.name] else {
        if option.isRequired { report(path, "\(subject(path)) needs \(phrase(of: option))") }
        values[option.name] = option.default
        continue
      }
      let value = check(raw, option.type, at: path + [option.name])
      if option.isRequired, value?.list?.isEmpty == true, raw.table?.list.isEmpty != false {
        report(path + [option.name], "\(subject(path + [option.name])) must not be empty")
      }
      values[option.name] = value
    }
    return values
  }

  /// The fields of a table; what stands in its list goes to the option that needs no name.
  private mutating func named(
    _ table: RawTable, _ options: [OptionDescription], at path: [String]
  ) -> [String: RawValue] {
    var fields = table.fields
    guard let first = table.list.first else { return fields }
    guard let option = options.first(where: \.isUnnamed), fields[option.name] == nil else {
      report(path, "\(subject(path)) has no place for \(first.kind) without a name")
      return fields
    }
    if option.type.isList {
      fields[option.name] = .table(RawTable(list: table.list))
    } else {
      fields[option.name] = first
      if table.list.count > 1 {
        report(path, "\(subject(path)) takes one \(option.name), not \(table.list.count)")
      }
    }
    return fields
  }

  /// What options are called elsewhere, where there is one of the other name.
  private static let optionsElsewhere = [
    "from": ["accept", "entity"], "source": ["accept", "entity"], "to": ["target"],
    "destination": ["target"],
  ]

  private mutating func reportUnknown(
    _ fields: [String: RawValue], _ options: [OptionDescription], at path: [String]
  ) {
    let names = options.map(\.name)
    for name in fields.keys.sorted() where !names.contains(name) {
      let meant = Self.optionsElsewhere[name]?.first(where: names.contains)
      let near = (meant ?? NearestName.of(name, among: names)).map { "; did you mean '\($0)'?" }
      let what = path.isEmpty ? "option" : "field"
      let list = "; it has \(names.joined(separator: ", "))"
      let all =
        names.contains("attributes")
        ? "; write attributes = { \(LuaText.key(name)) = ... }"
        : names.isEmpty || names.count > 8 ? "" : list
      report(path + [name], "\(subject(path)) has no \(what) '\(name)'\(near ?? all)")
    }
  }

  private mutating func reportAlternatives(
    _ fields: [String: RawValue], _ names: [String], at path: [String]
  ) {
    guard !names.isEmpty, names.count(where: { fields[$0] != nil }) != 1 else { return }
    let choice = names.map { "'\($0)'" }.joined(separator: " or ")
    report(path, "\(subject(path)) needs either \(choice)")
  }

  /// Adds a mistake about a field.
  mutating func report(_ path: [String], _ message: String) {
    guard problems.count < Self.mostProblems else { return }
    let names = path.map { String($0.prefix { $0 != "[" }) }
    problems.append(source.problem(source.line(of: names, in: construct), message))
  }

  private func subject(_ path: [String]) -> String {
    path.isEmpty ? owner : "option '\(path.joined(separator: "."))'"
  }

  private func phrase(of option: OptionDescription) -> String {
    guard !option.isUnnamed else {
      let example = option.type.namesExample.map { ": \(owner.filter { $0 != "'" }) { \($0) }" }
      return "its \(option.name) in quotes\(example ?? "")"
    }
    let example = option.example.map { ": \($0)" } ?? ""
    return "the option '\(option.name)'\(example)"
  }
}

extension OptionType {
  /// Names as one writes them; nil where the type takes something else.
  fileprivate var namesExample: String? {
    switch self {
    case .list(.name(.entityOrProperty)): #""Entity", "Entity.property""#
    case .name(.property): #""Entity.property", keep = "first""#
    default: nil
    }
  }

  /// Whether a value of this type is always a list.
  fileprivate var isList: Bool {
    switch self {
    case .list, .oneOrMore: true
    default: false
    }
  }
}
