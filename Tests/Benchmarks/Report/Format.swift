import Foundation

/// Numbers as they are printed.
enum Format {
  /// Two places behind the point where the number is small, none where it is large.
  static func number(_ number: Double) -> String {
    let places = abs(number) >= 100 ? 0 : abs(number) >= 10 ? 1 : 2
    return String(format: "%.\(places)f", number)
  }

  /// Bytes, in millions of 1,048,576.
  static func mebibytes(_ bytes: Int) -> String { number(Double(bytes) / 1_048_576) }

  /// A large number with commas.
  static func count(_ count: Int) -> String {
    count.formatted(.number.locale(Locale(identifier: "en_US")))
  }
}
