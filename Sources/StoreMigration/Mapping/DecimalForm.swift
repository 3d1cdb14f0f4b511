/// A decimal number as its digits and the place of its point, so that equal numbers are equal.
package struct DecimalForm: Equatable, Sendable {
  /// The number as it was written.
  package let text: String
  private let isNegative: Bool
  private let digits: [UInt8]
  private let exponent: Int

  /// Reads a number; nil for any other text.
  package init?(_ text: String) {
    guard
      let match = text.wholeMatch(of: /([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?/),
      !match.2.isEmpty || match.3?.isEmpty == false
    else { return nil }
    let fraction = match.3 ?? ""
    var digits = Array((match.2 + fraction).utf8.drop { $0 == UInt8(ascii: "0") })
    var exponent = Int(match.4 ?? "0").map { $0 - fraction.count } ?? 0
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    self.text = text
    self.digits = digits
    self.exponent = digits.isEmpty ? 0 : exponent
    isNegative = match.1 == "-" && !digits.isEmpty
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

  /// Whether two are the same number, however they are written.
  package static func == (left: Self, right: Self) -> Bool {
    left.isNegative == right.isNegative && left.digits == right.digits
      && left.exponent == right.exponent
  }
}
