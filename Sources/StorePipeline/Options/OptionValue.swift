/// The value of an option, checked and of the type its description asks for.
public indirect enum OptionValue: Sendable, Hashable {
  /// True or false.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// Any other number, always finite.
  case number(Double)
  /// A text.
  case text(String)
  /// A length of time, to the millisecond.
  case duration(Duration)
  /// A number of bytes.
  case size(Int64)
  /// Values in order.
  case list([OptionValue])
  /// Values by name.
  case table([String: OptionValue])
  /// What a source attribute holds: `from "name"`.
  case from(String)
  /// What a source attribute holds, as another type: `convert("depth", "Integer 32")`.
  case convert(String, to: String)
}

extension OptionValue {
  /// The boolean, where this is one.
  public var boolean: Bool? {
    guard case .boolean(let value) = self else { return nil }
    return value
  }

  /// The whole number, where this is one.
  public var integer: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// The text, where this is one.
  public var text: String? {
    guard case .text(let value) = self else { return nil }
    return value
  }

  /// The length of time, where this is one.
  public var duration: Duration? {
    guard case .duration(let value) = self else { return nil }
    return value
  }

  /// The number of bytes, where this is one.
  public var bytes: Int64? {
    guard case .size(let value) = self else { return nil }
    return value
  }

  /// The values in order, where this is a list.
  public var list: [OptionValue]? {
    guard case .list(let values) = self else { return nil }
    return values
  }

  /// The values by name, where this is a table.
  public var table: [String: OptionValue]? {
    guard case .table(let values) = self else { return nil }
    return values
  }

  /// A value inside a table.
  public subscript(name: String) -> OptionValue? { table?[name] }
}

extension OptionValue: CustomStringConvertible {
  /// The value as a pipeline file writes it.
  public var description: String {
    switch self {
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let text): LuaText.quoted(text)
    case .duration(let duration): LuaText.quoted(DurationText.write(duration))
    case .size(let bytes): LuaText.quoted(SizeText.write(bytes))
    case .list(let values): Self.braces(values.map(\.description))
    case .table(let values):
      Self.braces(values.sorted { $0.key < $1.key }.map { "\(LuaText.key($0.key)) = \($0.value)" })
    case .from(let name): "from \(LuaText.quoted(name))"
    case .convert(let name, let type): "convert(\(LuaText.quoted(name)), \(LuaText.quoted(type)))"
    }
  }

  private static func braces(_ items: [String]) -> String {
    items.isEmpty ? "{}" : "{ \(items.joined(separator: ", ")) }"
  }
}
