internal import Formats
internal import Foundation

/// Numbers as people read them.
package enum Quantity {
  /// `1,234,567`.
  package static func count(_ number: Int) -> String {
    let digits = String(number.magnitude)
    let groups = digits.enumerated().map { index, digit in
      let left = digits.count - index
      return left < digits.count && left.isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
    }
    return (number < 0 ? "-" : "") + groups.joined()
  }

  /// `812 B`, `1.2 MB`.
  package static func bytes(_ number: Int) -> String { ByteSize.text(number) }

  /// `0:07`, `12:34`, `1:02:03`.
  package static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 360_000 else { return "-:--" }
    let whole = Int(max(0, seconds).rounded())
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    let start = hours > 0 ? "\(hours):\(twoDigits(minutes))" : "\(minutes)"
    return "\(start):\(twoDigits(whole % 60))"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
