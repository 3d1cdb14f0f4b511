public import Foundation

/// A value written in a model: a default, a bound, a constant of a predicate.
public enum ModelConstant: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case decimal(Decimal)
  case string(String)
  /// Seconds since the first instant of 2001, UTC.
  case date(Double)
  case uuid(UUID)
  case uri(String)
  case bytes([UInt8])
  /// An object of this class, which only its application can read.
  case object(String)
}

extension ModelConstant {
  /// The UUID of 16 bytes; nil for any other number.
  package init?(uuid bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    let halves = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    let digits = halves.map { String($0, radix: 16) }
      .map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    var text = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text.append("-") }
      text.append(digit)
    }
    self.init(text: text, type: .uuid)
  }
}
