/// What values an option takes.
public indirect enum OptionType: Sendable, Hashable {
  /// `true` or `false`.
  case boolean
  /// `false` alone, which turns something off.
  case off
  /// A whole number.
  case integer(ClosedRange<Int64>)
  /// Any number.
  case number(ClosedRange<Double>)
  /// A text that is not empty.
  case text
  /// One of a few texts.
  case choice([String])
  /// The name of something in a model.
  case name(OptionName)
  /// A path relative to the pipeline file.
  case path(OptionPath)
  /// A length of time, like "10 s".
  case duration
  /// A number of bytes, like "8 MiB".
  case size
  /// A boolean, a number or a text.
  case constant
  /// What an attribute becomes: a constant, `from "name"` or `convert("name", "Type")`.
  case expression
  /// Any plain data.
  case anything
  /// A list.
  case list(OptionType)
  /// One value, or a list of several; always a list afterwards.
  case oneOrMore(OptionType)
  /// A table with known fields.
  case table(OptionTable)
  /// A table from names of the author's own choice to values.
  case fields(OptionType)
  /// The first of these that takes the value.
  case either([OptionType])
}

/// The fields of a table that is the value of an option.
public struct OptionTable: Sendable, Hashable {
  /// The fields.
  public let fields: [OptionDescription]
  /// The field that is meant when a value stands there alone, without a table.
  public let shorthand: String?
  /// Fields of which exactly one must be written; empty when there is no such choice.
  public let alternatives: [String]

  /// A table.
  public init(_ fields: [OptionDescription], shorthand: String? = nil, alternatives: [String] = [])
  {
    self.fields = fields
    self.shorthand = shorthand
    self.alternatives = alternatives
  }

  /// The field that a value alone stands for.
  var shorthandField: OptionDescription? { fields.first { $0.name == shorthand } }
}

/// The kinds of names that an option may ask for.
public enum OptionName: String, Sendable, CaseIterable {
  /// An entity: `Item`.
  case entity
  /// A property of an entity: `Item.title`.
  case property
  /// An entity or a property of one: `Item`, `Item.title`.
  case entityOrProperty
  /// What may be lost: `Item.title`, `Item.*`, `*`, or `CloudKit` for what waits to be exported.
  case loss
}

/// What an option's path leads to.
public enum OptionPath: String, Sendable, CaseIterable {
  /// Something that must be there.
  case existing
  /// A Lua file, which must be there.
  case script
  /// Something that the run makes.
  case new
}

extension OptionType {
  /// The whole numbers that JSON keeps exactly: up to 2^53.
  public static let exact: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

  /// Whole numbers from one on.
  public static func atLeast(_ least: Int64) -> OptionType { .integer(least...exact.upperBound) }

  /// The type in Lua's words, as a mistake names it: "a table or a number".
  var expectation: String {
    switch self {
    case .boolean: "a boolean"
    case .off: "false"
    case .integer, .number: "a number"
    case .text, .choice, .name, .path, .duration, .size: "a string"
    case .constant: "a boolean, a number or a string"
    case .expression: "a boolean, a number, a string, from or convert"
    case .anything: "plain data"
    case .list: "a list"
    case .oneOrMore(let type): "\(type.expectation) or a list"
    case .table(let table):
      table.shorthandField.map { "a table or \($0.type.expectation)" } ?? "a table"
    case .fields: "a table of names and values"
    case .either(let types):
      types.map(\.expectation).reduce(into: [String]()) { words, word in
        if !words.contains(word) { words.append(word) }
      }.joined(separator: " or ")
    }
  }

  /// What a mistake says that a value must be: of a time or a size more than its type in Lua.
  var form: String {
    switch self {
    case .duration: DurationText.expectation
    case .size: SizeText.expectation
    case .either(let types) where types.contains(.duration):
      types.map(\.form).joined(separator: ", or ")
    default: expectation
    }
  }

  /// The type as the reference names it.
  public var summary: String {
    switch self {
    case .boolean: "boolean"
    case .off: "`false`"
    case .integer(let range): "whole number\(Self.bounds(range, highest: Self.exact.upperBound))"
    case .number(let range): "number\(Self.bounds(range, highest: .greatestFiniteMagnitude))"
    case .text: "text"
    case .choice(let names): names.map { "`\"\($0)\"`" }.joined(separator: " or ")
    case .name(.entity): "entity"
    case .name(.property): "`Entity.property`"
    case .name(.entityOrProperty): "entity or `Entity.property`"
    case .name(.loss): "`Entity.property`, `Entity.*`, `*` or `CloudKit`"
    case .path(.script): "path of a Lua file"
    case .path: "path"
    case .duration: "duration"
    case .size: "size"
    case .constant: "boolean, number or text"
    case .expression: "`from \"name\"`, `convert(\"name\", \"Type\")` or a constant"
    case .anything: "plain data"
    case .list(let type): "list of \(type.summary)"
    case .oneOrMore(let type): "\(type.summary), or a list"
    case .table(let table): table.shorthandField.map { "table, or \($0.type.summary)" } ?? "table"
    case .fields(let type): "table of names with \(type.summary)"
    case .either(let types): types.map(\.summary).joined(separator: ", or ")
    }
  }

  /// The bounds of a number, for the reference.
  private static func bounds<Number: Comparable>(
    _ range: ClosedRange<Number>, highest: Number
  ) -> String {
    range.upperBound == highest
      ? ", at least \(range.lowerBound)" : " from \(range.lowerBound) to \(range.upperBound)"
  }
}
