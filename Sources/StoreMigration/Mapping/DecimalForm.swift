package import CoreDataStore

/// A decimal number as its digits and the place of its point, so that equal numbers are equal.
package struct DecimalForm: Equatable, Sendable {
  /// The number as it was written.
  package let text: String
  private let isNegative: Bool
  private let digits: [UInt8]
  private let exponent: Int

  /// Reads a number; nil for any other text.
  package init?(_ text: String) {
    // By hand: a pattern is compiled at each use, and scripts write many decimals.
    var rest = text.utf8[...]
    let hasMinus = Self.takeSign(&rest)
    let whole = Self.takeDigits(&rest)
    var fraction: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = Self.takeDigits(&rest)
    }
    guard !whole.isEmpty || !fraction.isEmpty, let power = Self.takePower(&rest), rest.isEmpty
    else { return nil }
    var digits = Array((whole + fraction).drop { $0 == UInt8(ascii: "0") })
    var exponent = power - fraction.count
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    self.text = text
    self.digits = digits
    self.exponent = digits.isEmpty ? 0 : exponent
    isNegative = hasMinus && !digits.isEmpty
  }

  private static func takeSign(_ rest: inout Substring.UTF8View) -> Bool {
    guard let sign = rest.first, [UInt8(ascii: "-"), UInt8(ascii: "+")].contains(sign) else {
      return false
    }
    rest.removeFirst()
    return sign == UInt8(ascii: "-")
  }

  private static func takeDigits(_ rest: inout Substring.UTF8View) -> [UInt8] {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest.removeFirst(digits.count)
    return Array(digits)
  }

  /// The power of ten behind an "e", 0 without one; nil where it is none of four digits at most.
  private static func takePower(_ rest: inout Substring.UTF8View) -> Int? {
    guard let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") else { return 0 }
    rest.removeFirst()
    let hasMinus = takeSign(&rest)
    let digits = takeDigits(&rest)
    guard (1...4).contains(digits.count) else { return nil }
    let power = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return hasMinus ? -power : power
  }

  /// Whether an attribute of the type Decimal holds it.
  ///
  /// "any number that can be expressed as mantissa x 10^exponent where mantissa is a decimal
  /// integer up to 38 digits long, and exponent is an integer from -128 through 127"
  /// (NSDecimalNumber); as Foundation reads texts, the mantissa has no zeros at its end.
  package var isHeld: Bool { digits.count <= 38 && (-128...127).contains(exponent) }

  /// The same of a text that is a number; short ones without an exponent are not taken apart.
  package static func isHeld(_ number: String) -> Bool {
    let bytes = number.utf8
    let isShort = bytes.count <= 38 && !bytes.contains { $0 | 0x20 == UInt8(ascii: "e") }
    return isShort || Self(number)?.isHeld == true
  }

  /// Whether digits of a Decimal get lost in its column, which holds integers and doubles.
  package static func losesDigits(_ value: AttributeValue) -> Bool {
    let column = AttributeStorage(.decimal)
    guard case .decimal(let text) = value, Int64(text) == nil, let stored = column.stored(value),
      case .decimal(let kept) = column.value(of: stored), let exact = Self(text)
    else { return false }
    return exact != Self(kept)
  }

  /// Whether two are the same number, however they are written.
  package static func == (left: Self, right: Self) -> Bool {
    left.isNegative == right.isNegative && left.digits == right.digits
      && left.exponent == right.exponent
  }
}
