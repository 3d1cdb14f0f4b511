internal import CoreDataStore
import Formats

/// The reference of the stages, made from their descriptions.
package struct StageReference: Sendable {
  private let stages: [StageDescription]

  package init(_ stages: [StageDescription]) { self.stages = stages }

  /// The reference as Markdown, a chapter a stage.
  package var markdown: String {
    (["# Stages"] + stages.map(Self.chapter)).joined(separator: "\n\n") + "\n"
  }

  /// The reference as a JSON document.
  package var json: String {
    let stages = JSONValue.array(stages.map(\.json))
    return JSONValue.object([.init("format", 1), .init("stages", stages)]).text(.pretty)
  }

  private static func chapter(_ stage: StageDescription) -> String {
    var parts = ["## \(stage.name)", stage.summary]
    if !stage.details.isEmpty { parts.append(stage.details) }
    if !stage.options.isEmpty { parts.append(table(of: stage.options)) }
    for rule in stage.rules {
      parts += ["### \(rule.name)", rule.summary, table(of: rule.options)]
    }
    parts.append(stage.facts.map { "- \($0): \($1)" }.joined(separator: "\n"))
    parts.append("```lua\n\(stage.example)\n```")
    return parts.joined(separator: "\n\n")
  }

  private static func table(of options: [OptionDescription]) -> String {
    (["| option | values | default | what it says |", "| --- | --- | --- | --- |"]
      + options.flatMap(\.withFields).map(row)).joined(separator: "\n")
  }

  private static func row(_ name: String, _ option: OptionDescription) -> String {
    let cells = [
      "`\(name)`" + (option.isUnnamed ? ", or without its name" : ""), option.type.summary,
      option.isRequired ? "required" : option.default.map { "`\($0)`" } ?? "", option.help,
    ]
    return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
  }
}

extension OptionDescription {
  /// The option and the fields of its table, each with its full name: `chunk`, `chunk.rows`.
  public var withFields: [(name: String, option: OptionDescription)] {
    [(name, self)]
      + type.innerFields.flatMap(\.withFields).map { ("\(name).\($0.name)", $0.option) }
  }
}

extension StageDescription {
  /// The facts besides the options, each with what it is about.
  public var facts: [(about: String, fact: String)] {
    [
      ("needs", Self.list(consumes.map(\.phrase))), ("makes", Self.list(produces.map(\.phrase))),
      ("changes", Self.list(touches.map(\.phrase))),
      ("stands", place.phrase + (mayRepeat ? ", more than once too" : "")),
    ]
  }

  private static func list(_ phrases: [String]) -> String {
    phrases.isEmpty ? "nothing" : phrases.sorted().joined(separator: ", ")
  }
}

extension StageEffect {
  /// What it is, in words.
  fileprivate var phrase: String {
    switch self {
    case .destination: "the store that is being built"
    case .files: "files of the run"
    case .store: "your store"
    case .programs: "whatever the program changes"
    }
  }
}

extension StagePlace {
  /// What it is, in words.
  fileprivate var phrase: String {
    switch self {
    case .beforeSwap: "above the swap, outside of steps"
    case .inStep: "above the swap; inside the steps where there are any"
    case .anywhere: "anywhere outside of steps, below the swap too"
    }
  }
}

extension OptionType {
  /// The fields of the table that is the value, or part of it.
  fileprivate var innerFields: [OptionDescription] {
    switch self {
    case .table(let table): table.fields
    case .list(let type), .oneOrMore(let type), .fields(let type): type.innerFields
    case .either(let types): types.flatMap(\.innerFields)
    default: []
    }
  }
}

// The documented JSON of a description.

extension StageDescription {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "summary": .string(summary), "details": .string(details),
      "options": .array(options.map(\.json)),
      "rules": .array(
        rules.map { rule in
          [
            "name": .string(rule.name), "summary": .string(rule.summary),
            "options": .array(rule.options.map(\.json)),
          ]
        }),
      "consumes": .names(consumes), "produces": .names(produces), "touches": .names(touches),
      "place": .string(place.rawValue), "mayRepeat": .bool(mayRepeat),
      "example": .string(example),
    ]
  }
}

extension OptionDescription {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "type": .string(type.summary),
      "default": `default`?.json ?? .null, "required": .bool(isRequired),
      "unnamed": .bool(isUnnamed), "fields": .array(type.innerFields.map(\.json)),
      "help": .string(help),
    ]
  }
}

extension JSONValue {
  /// The names of some cases, in order.
  fileprivate static func names<Case: RawRepresentable<String>>(_ cases: Set<Case>) -> JSONValue {
    .array(cases.map(\.rawValue).sorted().map(JSONValue.string))
  }
}
