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
    case .integer16, .integer32, .integer64: Int64(text).map(Self.integer) ?? number(text, type)
    case .double, .float, .decimal: number(text, type)
    case .boolean: .boolean(truth(of: text))
    case .date: Double(text).map(Self.date)
    case .uuid: UUID(uuidString: text).map(Self.uuid)
    case .uri: .uri(text)
    default: nil
    }
  }

  /// A number as the model's compiler reads it: the one that the text begins with, 1 for "YES", and
  /// 0 for any other text, "NO" among them.
  private static func number(_ text: String, _ type: AttributeType) -> ModelConstant? {
    let digits = ["YES", "TRUE"].contains(text.uppercased()) ? "1" : leadingNumber(of: text)
    return switch type {
    case .float: Float(digits).map { .real(Double($0)) }
    case .double: Double(digits).map(Self.real)
    case .decimal: Decimal(plain: digits).map(Self.decimal)
    default: Double(digits).flatMap { Int64(exactly: $0.rounded(.towardZero)) }.map(Self.integer)
    }
  }

  /// The number that a text begins with, "0" where it begins with none.
  private static func leadingNumber(of text: String) -> String {
    var rest = text[...].drop(while: \.isWhitespace)
    let start = rest.startIndex
    func isDigit(_ character: Character) -> Bool { "0123456789".contains(character) }
    if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
    let whole = rest.prefix(while: isDigit)
    rest = rest[whole.endIndex...]
    var end = rest.startIndex
    if rest.first == "." {
      let fraction = rest.dropFirst().prefix(while: isDigit)
      guard !whole.isEmpty || !fraction.isEmpty else { return "0" }
      end = fraction.isEmpty ? end : fraction.endIndex
    } else if whole.isEmpty {
      return "0"
    }
    rest = text[end...]
    if let sign = rest.first, "eE".contains(sign) {
      let power = rest.dropFirst().drop { "+-".contains($0) }.prefix(while: isDigit)
      if !power.isEmpty { end = power.endIndex }
    }
    return String(text[start..<end])
  }

  /// Apple, `NSString.boolValue`: true "on encountering one of Y, y, T, t, or a digit 1-9", after
  /// white space, or a sign and zeros; "any trailing characters" are ignored.
  private static func truth(of text: String) -> Bool {
    var rest = text[...].drop(while: \.isWhitespace)
    if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
    return rest.drop { $0 == "0" }.first.map { "YyTt123456789".contains($0) } == true
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
