/// A type of Swift's that a property may have which an option fills in.
public protocol OptionConvertible: Sendable {
  /// The values that an option of this type takes, when it says nothing else.
  static var optionType: OptionType { get }

  /// A value of the pipeline file's, which the checker has found to be of the option's type.
  init?(_ value: OptionValue)

  /// The value as a pipeline file has it; nil for none.
  var optionValue: OptionValue? { get }
}

/// A few names of which an option takes one.
public protocol OptionChoice: OptionConvertible, CaseIterable, RawRepresentable<String> {}

extension OptionChoice {
  /// The names.
  public static var optionType: OptionType { .choice(allCases.map(\.rawValue)) }

  /// The case with the name.
  public init?(_ value: OptionValue) { self.init(rawValue: value.text ?? "") }

  /// The name.
  public var optionValue: OptionValue? { .text(rawValue) }
}

/// A table of options with known fields, as a value whose properties they are.
public protocol OptionRecord: OptionConvertible {
  /// The fields.
  static var options: [StageOption<Self>] { get }
  /// The field that is meant when a value stands there alone; nil for none.
  static var shorthand: String? { get }
  /// Fields of which exactly one must be written; empty when there is no such choice.
  static var alternatives: [String] { get }

  /// All fields with their defaults.
  init()
}

extension OptionRecord {
  /// No field is meant by a value alone.
  public static var shorthand: String? { nil }
  /// There is no such choice.
  public static var alternatives: [String] { [] }

  static var descriptions: [OptionDescription] { StageOption.descriptions(options, of: Self()) }

  /// A table.
  public static var optionType: OptionType {
    .table(OptionTable(descriptions, shorthand: shorthand, alternatives: alternatives))
  }

  /// The fields of a table.
  public init?(_ value: OptionValue) {
    guard let fields = value.table else { return nil }
    self = StageOption.filled(Self(), Self.options, with: fields)
  }

  /// The table.
  public var optionValue: OptionValue? {
    let fields = StageOption.descriptions(Self.options, of: self)
    return .table(
      Dictionary(
        uniqueKeysWithValues: fields.compactMap { field in
          field.default.map { (field.name, $0) }
        }))
  }
}

extension Bool: OptionConvertible {
  /// True or false.
  public static var optionType: OptionType { .boolean }
  /// The boolean.
  public init?(_ value: OptionValue) {
    guard let boolean = value.boolean else { return nil }
    self = boolean
  }
  /// The boolean.
  public var optionValue: OptionValue? { .boolean(self) }
}

extension Int: OptionConvertible {
  /// Any whole number that JSON keeps.
  public static var optionType: OptionType { .integer(OptionType.exact) }
  /// The number; of a size, its bytes.
  public init?(_ value: OptionValue) {
    guard let integer = value.integer ?? value.bytes else { return nil }
    self.init(exactly: integer)
  }
  /// The number.
  public var optionValue: OptionValue? { .integer(Int64(self)) }
}

extension String: OptionConvertible {
  /// A text that is not empty.
  public static var optionType: OptionType { .text }
  /// The text.
  public init?(_ value: OptionValue) {
    guard let text = value.text else { return nil }
    self = text
  }
  /// The text.
  public var optionValue: OptionValue? { .text(self) }
}

extension Duration: OptionConvertible {
  /// A length of time.
  public static var optionType: OptionType { .duration }
  /// The length of time.
  public init?(_ value: OptionValue) {
    guard let duration = value.duration else { return nil }
    self = duration
  }
  /// The length of time.
  public var optionValue: OptionValue? { .duration(self) }
}

extension Array: OptionConvertible where Element: OptionConvertible {
  /// One value, or a list of several.
  public static var optionType: OptionType { .oneOrMore(Element.optionType) }
  /// The values of a list.
  public init?(_ value: OptionValue) {
    guard let list = value.list else { return nil }
    self = list.compactMap { Element($0) }
  }
  /// The list.
  public var optionValue: OptionValue? { .list(compactMap(\.optionValue)) }
}

extension Dictionary: OptionConvertible where Key == String, Value: OptionConvertible {
  /// A table from names of the author's own choice.
  public static var optionType: OptionType { .fields(Value.optionType) }
  /// The values of a table.
  public init?(_ value: OptionValue) {
    guard let table = value.table else { return nil }
    self = table.compactMapValues { Value($0) }
  }
  /// The table.
  public var optionValue: OptionValue? { .table(compactMapValues(\.optionValue)) }
}

extension Optional: OptionConvertible where Wrapped: OptionConvertible {
  /// What the type takes that is optional here.
  public static var optionType: OptionType { Wrapped.optionType }
  /// The value.
  public init?(_ value: OptionValue) {
    guard let wrapped = Wrapped(value) else { return nil }
    self = wrapped
  }
  /// The value; nil has none.
  public var optionValue: OptionValue? { flatMap(\.optionValue) }
}

extension OptionValue: OptionConvertible {
  /// Any plain data.
  public static var optionType: OptionType { .anything }
  /// The value itself.
  public init?(_ value: OptionValue) { self = value }
  /// The value itself.
  public var optionValue: OptionValue? { self }
}
