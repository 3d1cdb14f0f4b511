package import SQLite
internal import Foundation

/// How one attribute's values lie in their column.
package struct AttributeStorage: Hashable, Sendable {
  package let type: AttributeType
  /// Whether large values may live in files, so that a mark stands before each value.
  package let isExternal: Bool

  package init(_ type: AttributeType, isExternal: Bool = false) {
    self.type = type
    self.isExternal = isExternal
  }

  package init(of attribute: Attribute) {
    self.init(attribute.type, isExternal: attribute.usesExternalStorage)
  }

  package func value(of stored: Value) -> AttributeValue {
    if stored.isNull { return .null }
    return expected(stored) ?? .unexpected(UnexpectedValue(stored))
  }

  /// What the column holds for a value; nil when the value is of another type.
  package func stored(_ value: AttributeValue) -> Value? {
    switch (type, value) {
    case (_, .null): .null
    case (_, .unexpected(let unexpected)): unexpected.value
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
      (.integer64, .integer(let number)):
      .integer(number)
    case (.boolean, .boolean(let truth)): .integer(truth ? 1 : 0)
    case (.double, .real(let number)), (.float, .real(let number)): .real(number)
    case (.decimal, .decimal(let text)): Self.number(text)
    case (.date, .date(let seconds)): Self.numeric(seconds)
    case (.string, .string(let text)), (.uri, .uri(let text)): .text(text)
    case (.uuid, .uuid(let uuid)): .blob(Self.bytes(of: uuid))
    case (.binary, .binary(let bytes)), (.transformable, .transformable(let bytes)),
      (.codable, .transformable(let bytes)):
      .blob(isExternal ? [ExternalReference.inlineMark] + bytes : bytes)
    case (.binary, .external(let reference)), (.transformable, .external(let reference)):
      isExternal ? .blob(reference.stored) : nil
    default: nil
    }
  }
}

extension AttributeStorage {
  /// What the column holds for a constant of a model; nil when the constant is of another type.
  package func stored(constant: ModelConstant) -> Value? {
    let value: AttributeValue
    switch (constant, type) {
    case (.null, _): value = .null
    case (.boolean(let truth), _): value = .boolean(truth)
    case (.integer(let number), _): value = .integer(number)
    case (.real(let number), _): value = .real(number)
    case (.decimal(let number), _): value = .decimal("\(number)")
    case (.string(let text), _): value = .string(text)
    case (.date(let seconds), _): value = .date(seconds)
    case (.uuid(let uuid), _): value = .uuid(uuid)
    case (.uri(let text), _): value = .uri(text)
    case (.bytes(let bytes), .transformable): value = .transformable(bytes)
    case (.bytes(let bytes), _): value = .binary(bytes)
    case (.object, _): return nil
    }
    return stored(value)
  }
}

extension AttributeStorage {
  private func expected(_ stored: Value) -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64: stored.integer.map(AttributeValue.integer)
    case .boolean: stored.integer.flatMap { $0 == 0 || $0 == 1 ? .boolean($0 == 1) : nil }
    case .double, .float: Self.real(stored).map(AttributeValue.real)
    case .date: Self.real(stored).map(AttributeValue.date)
    case .decimal: Self.digits(stored).map(AttributeValue.decimal)
    case .string: stored.string.map(AttributeValue.string)
    case .uri: stored.string.map(AttributeValue.uri)
    case .uuid: stored.blob.flatMap(Self.uuid).map(AttributeValue.uuid)
    case .binary: data(stored, AttributeValue.binary)
    case .transformable, .codable: data(stored, AttributeValue.transformable)
    case .undefined, .objectID, .composite, .unknown: nil
    }
  }

  /// A number of a column that may have made an integer of it, unless that would lose digits.
  private static func real(_ stored: Value) -> Double? {
    stored.real ?? stored.integer.flatMap { Double(exactly: $0) }
  }

  private static func digits(_ stored: Value) -> String? {
    switch stored {
    case .integer(let number): "\(number)"
    case .real(let number): number.isFinite ? "\(number)".removingPointZero : nil
    case .text(let text): text.string.flatMap { $0.isDecimal ? $0 : nil }
    case .null, .blob: nil
    }
  }

  /// What a column of numeric affinity makes of a decimal's digits.
  private static func number(_ digits: String) -> Value? {
    if let number = Int64(digits) { return .integer(number) }
    guard digits.isDecimal, let number = Double(digits) else { return nil }
    // Beyond 2^53 a double has not each whole number, and an integer has: "9007199254740993.0".
    if abs(number) >= 0x1p53, let whole = Decimal(string: digits).flatMap({ Int64("\($0)") }) {
      return .integer(whole)
    }
    return numeric(number)
  }

  /// A REAL "that can be represented exactly as an integer is converted" (SQLite, Datatypes).
  private static func numeric(_ number: Double) -> Value {
    Int64(exactly: number).map(Value.integer) ?? .real(number)
  }

  private func data(
    _ stored: Value, _ make: ([UInt8]) -> AttributeValue
  ) -> AttributeValue? {
    guard let bytes = stored.blob else { return nil }
    guard isExternal else { return make(bytes) }
    switch bytes.first {
    case ExternalReference.inlineMark: return make(Array(bytes.dropFirst()))
    case ExternalReference.externalMark:
      return ExternalReference(stored: bytes).map(AttributeValue.external)
    default: return nil
    }
  }

  private static func uuid(_ bytes: [UInt8]) -> UUID? {
    guard bytes.count == 16 else { return nil }
    let b = bytes
    return UUID(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]
      ))
  }

  private static func bytes(of uuid: UUID) -> [UInt8] {
    let u = uuid.uuid
    return [
      u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
    ]
  }
}

extension String {
  /// "2" for "2.0": the shortest digits of a whole number.
  fileprivate var removingPointZero: String { hasSuffix(".0") ? String(dropLast(2)) : self }

  /// Whether it is a number in decimal digits: `Double` alone would take "0x1p3" and "nan" as well.
  fileprivate var isDecimal: Bool {
    utf8.allSatisfy("0123456789+-.eE".utf8.contains) && Double(self)?.isFinite == true
  }
}
