package import CoreDataStore
internal import Foundation

// What a conversion does to values: its rule, carried out.

extension Conversion {
  /// Whether the converted value is stored as the value was, so that SQLite's copy is enough.
  ///
  /// The columns' affinities do the rest: an integer that comes into a column of the type FLOAT
  /// "forces integer values into floating point representation" (SQLite, Datatypes).
  package var keepsStoredForm: Bool {
    if isCarried { return true }
    return switch (source, target) {
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
    // SQLite stores -0.0 as 0.0: a verification expects what will be there.
    case .double, .float: real(value).map { .real($0 == 0 ? 0 : $0) }
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
    target.facts.range?.contains(number) == true ? .integer(number) : nil
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
    case (.decimal(let text), _): finite(text)
    case (.string(let text), _):
      text.isPlainNumber ? finite(text) : nil
    default: nil
    }
  }

  /// The nearest number; nil where the text means one beyond the type's range.
  private func finite(_ text: String) -> Double? {
    let number = target == .float ? Float(text).map(Double.init) : Double(text)
    return number.flatMap { $0.isFinite ? $0 : nil }
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

enum NumberText {
  /// Swift's shortest digits without what can be left out: "1" for "1.0", "1e-5" for "1e-05".
  static func shortest(_ digits: String) -> String {
    let parts = digits.split(separator: "e", maxSplits: 1)
    guard parts.count == 2 else { return whole(digits[...]) }
    let exponent = parts[1]
    let sign = exponent.hasPrefix("-") ? "-" : ""
    let figures = exponent.drop { "+-0".contains($0) }
    return "\(whole(parts[0]))e\(sign)\(figures.isEmpty ? "0" : figures)"
  }

  private static func whole(_ digits: Substring) -> String {
    String(digits.hasSuffix(".0") ? digits.dropLast(2) : digits)
  }
}

enum DateText {
  /// A date of ISO 8601 in UTC, to the millisecond: "2001-01-01T00:00:00.000Z".
  ///
  /// Nil outside the years 1 to 9999, for which ISO 8601 has no text of four digits.
  static func iso(_ seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
    let milliseconds = Int64((seconds * 1000).rounded())
    let (days, rest) = floored(milliseconds, by: 86_400_000)
    let (year, month, day) = civil(days + daysTo2001)
    guard (1...9999).contains(year) else { return nil }
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
      + "\(time.joined(separator: ":")).\(padded(rest % 1000, 3))Z"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func floored(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
    let rest = ((number % divisor) + divisor) % divisor
    return ((number - rest) / divisor, rest)
  }

  /// The days from 1 March of the year 0 to 1 January 2001.
  private static let daysTo2001: Int64 = 730_791

  /// The day of the Gregorian calendar that lies so many days after 1 March of the year 0.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // 400 years have 146,097 days; years are counted from March, so that the leap day is the last.
    let (era, day) = floored(days, by: 146_097)
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let ofYear = day - (365 * year + year / 4 - year / 100)
    let part = (5 * ofYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    return (era * 400 + year + (month <= 2 ? 1 : 0), month, ofYear - (153 * part + 2) / 5 + 1)
  }
}
