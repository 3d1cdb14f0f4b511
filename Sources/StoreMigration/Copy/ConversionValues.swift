package import CoreDataStore
internal import Foundation

// What a conversion does to values: its rule, carried out.

extension Conversion {
  /// Whether the converted value is stored as the value was, so that SQLite's copy is enough.
  ///
  /// The columns' affinities do the rest: an integer that comes into a column of the type FLOAT
  /// "forces integer values into floating point representation" (SQLite, Datatypes).
  package var keepsStoredForm: Bool {
    switch (source, target) {
    case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64),
      (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64),
      (.integer16, .decimal), (.integer32, .decimal), (.integer64, .decimal),
      (.integer16, .double), (.integer32, .double), (.integer64, .double), (.float, .double),
      (.integer16, .date), (.integer32, .date), (.integer64, .date), (.double, .date),
      (.float, .date), (.date, .double), (.uri, .string):
      true
    default: false
    }
  }

  /// The value in the other type; nil when it has no counterpart there.
  package func convert(_ value: AttributeValue) -> AttributeValue? {
    switch target {
    case .integer16, .integer32, .integer64: whole(value).flatMap(fitting)
    case .double, .float: real(value).map(AttributeValue.real)
    case .decimal: digits(value).map(AttributeValue.decimal)
    case .date: real(value).map(AttributeValue.date)
    case .boolean: value.isZeroOrOne.map(AttributeValue.boolean)
    case .string: text(value).map(AttributeValue.string)
    case .uri: address(value).map(AttributeValue.uri)
    case .uuid: uuid(value).map(AttributeValue.uuid)
    default: nil
    }
  }

  private func fitting(_ number: Int64) -> AttributeValue? {
    let fits =
      switch target {
      case .integer16: Int16(exactly: number) != nil
      case .integer32: Int32(exactly: number) != nil
      default: true
      }
    return fits ? .integer(number) : nil
  }

  private func whole(_ value: AttributeValue) -> Int64? {
    switch value {
    case .integer(let number): number
    case .boolean(let truth): truth ? 1 : 0
    case .real(let number): Int64(exactly: number)
    case .date(let seconds): Int64(exactly: seconds.rounded(.down))
    case .decimal(let text), .string(let text): Self.whole(text)
    default: nil
    }
  }

  private static func whole(_ text: String) -> Int64? {
    if let number = Int64(text) { return number }
    guard text.isPlainNumber, let number = Decimal(plain: text) else { return nil }
    // The description of a whole Decimal has no point and no exponent.
    return Int64("\(number)")
  }

  private func real(_ value: AttributeValue) -> Double? {
    switch (value, target) {
    case (.integer(let number), .float): Double(Float(number))
    case (.integer(let number), _): Double(number)
    case (.real(let number), .float), (.date(let number), .float): Self.float(number)
    case (.real(let number), _), (.date(let number), _): number
    case (.decimal(let text), _): nearest(text)
    case (.string(let text), _):
      text.isPlainNumber ? exact(text).flatMap { $0.isFinite ? $0 : nil } : nil
    default: nil
    }
  }

  private func exact(_ text: String) -> Double? {
    target == .float ? Float(text).map(Double.init) : Double(text)
  }

  /// The nearest number that there is: a decimal may be larger than every float.
  private func nearest(_ text: String) -> Double? {
    guard let number = exact(text), number.isInfinite else { return exact(text) }
    let largest = Double(Float.greatestFiniteMagnitude)
    return number < 0 ? -largest : largest
  }

  private static func float(_ number: Double) -> Double? {
    let result = Double(Float(number))
    return result.isInfinite && number.isFinite ? nil : result
  }

  private func digits(_ value: AttributeValue) -> String? {
    switch value {
    case .integer(let number): "\(number)"
    case .real(let number), .date(let number): number.isFinite ? held(shortest(number)) : nil
    case .string(let text): text.isPlainNumber ? held(text) : nil
    default: nil
    }
  }

  /// The digits of a number, where a Decimal holds them all.
  private func held(_ digits: String) -> String? {
    DecimalForm.isHeld(digits) ? digits : nil
  }

  private func text(_ value: AttributeValue) -> String? {
    switch value {
    case .integer(let number): "\(number)"
    case .real(let number): shortest(number)
    case .decimal(let text): NumberText.shortest(text)
    case .uri(let text): text
    case .boolean(let truth): truth ? "true" : "false"
    case .uuid(let uuid): uuid.uuidString
    case .date(let seconds): DateText.iso(seconds)
    default: nil
    }
  }

  /// The shortest text that means a number: of a float, fewer digits than of the same double.
  private func shortest(_ number: Double) -> String {
    let float = source == .float ? Float(exactly: number) : nil
    return NumberText.shortest(float.map { "\($0)" } ?? "\(number)")
  }

  private func address(_ value: AttributeValue) -> String? {
    guard case .string(let text) = value, !text.isEmpty,
      URL(string: text, encodingInvalidCharacters: false) != nil
    else { return nil }
    return text
  }

  private func uuid(_ value: AttributeValue) -> UUID? {
    guard case .string(let text) = value, text.utf8.count == 36 else { return nil }
    return UUID(uuidString: text)
  }
}

extension AttributeValue {
  /// The truth that 0 and 1 stand for.
  fileprivate var isZeroOrOne: Bool? {
    guard case .integer(let number) = self, number == 0 || number == 1 else { return nil }
    return number == 1
  }
}

extension String {
  /// Whether nothing but digits, signs, a point and an exponent are in it: Swift's own readers of
  /// numbers would take "0x1p3" and "nan" as well.
  fileprivate var isPlainNumber: Bool {
    !isEmpty && utf8.allSatisfy("0123456789+-.eE".utf8.contains) && Double(self) != nil
  }
}
