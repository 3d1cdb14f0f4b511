/// Numbers as text.
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
