package import Foundation

// How constants stand in XML: text whose meaning depends on the attribute's type.

extension ModelConstant {
  /// The value that a text means for an attribute of this type; nil for an empty text.
  ///
  /// A text that does not fit the type is kept as a string, as nothing else is known of it.
  package init?(text: String, type: AttributeType) {
    guard !text.isEmpty || type == .string else { return nil }
    self = Self.typed(text, as: type) ?? .string(text)
  }

  private static func typed(_ text: String, as type: AttributeType) -> ModelConstant? {
    switch type {
    case .integer16, .integer32, .integer64: Int64(text).map(Self.integer)
    case .double: Double(text).map(Self.real)
    case .float: Float(text).map { .real(Double($0)) }
    case .decimal: Decimal(plain: text).map(Self.decimal)
    case .boolean: boolean(text)
    case .date: Double(text).map(Self.date)
    case .uuid: UUID(uuidString: text).map(Self.uuid)
    case .uri: .uri(text)
    default: nil
    }
  }

  private static func boolean(_ text: String) -> ModelConstant? {
    switch text.uppercased() {
    case "YES", "TRUE", "1": .boolean(true)
    case "NO", "FALSE", "0": .boolean(false)
    default: nil
    }
  }

  /// The same value as an attribute of this type holds it, where archives are less exact.
  package func normalized(for type: AttributeType) -> ModelConstant {
    switch (self, type) {
    case (.integer(let value), .boolean): .boolean(value != 0)
    case (.boolean(let value), _) where type.isInteger: .integer(value ? 1 : 0)
    case (.integer(let value), .double), (.integer(let value), .float): .real(Double(value))
    case (.boolean(let value), .double), (.boolean(let value), .float): .real(value ? 1 : 0)
    case (.integer(let value), .decimal): .decimal(Decimal(value))
    case (.real(let value), _) where type.isInteger:
      Int64(exactly: value).map(Self.integer) ?? self
    case (.real(let value), .float): .real(Double(Float(value)))
    case (.integer(let value), .date): .date(Double(value))
    case (.real(let value), .date): .date(value)
    case (.string(let value), .uri): .uri(value)
    default: self
    }
  }

  /// The text that means this value, nil when XML has none for it.
  package var text: String? {
    switch self {
    case .boolean(let value): value ? "YES" : "NO"
    case .integer(let value): String(value)
    case .real(let value), .date(let value): Self.plain(value)
    case .decimal(let value): value.description
    case .string(let value), .uri(let value): value
    case .uuid(let value): value.uuidString
    case .null, .bytes, .object: nil
    }
  }

  /// A number without a needless fraction, as Xcode writes it.
  package static func plain(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? String(value)
  }
}

extension Decimal {
  /// The number that the whole text is, in the form `-12.5e3`.
  ///
  /// `Decimal(string:)` reads a prefix and leaves the rest, so the form is checked first.
  package init?(plain text: String) {
    guard Double(text) != nil, !text.lowercased().contains("x"),
      let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), value.isFinite
    else { return nil }
    self = value
  }
}
