/// Lengths of time as pipeline files write them: "10 s", "500 ms", "14 days".
package enum DurationText {
  private static let units: [(names: [String], milliseconds: Int64)] = [
    (["days", "day", "d"], 86_400_000), (["hours", "hour", "h"], 3_600_000),
    (["min", "minutes", "minute"], 60_000), (["s", "seconds", "second"], 1000), (["ms"], 1),
  ]

  /// What an option that takes one expects.
  static let expectation = "a whole number and a unit (ms, s, min, hours, days), like \"10 s\""

  /// Reads a length of time; nil when the text is none.
  package static func read(_ text: String) -> Duration? {
    guard let (count, unit) = split(text),
      let unit = units.first(where: { $0.names.contains(unit) })
    else { return nil }
    let (product, overflow) = count.multipliedReportingOverflow(by: unit.milliseconds)
    return overflow ? nil : .milliseconds(product)
  }

  /// Writes it in the largest unit that leaves no rest.
  static func write(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let fits = units.first { milliseconds != 0 && milliseconds % $0.milliseconds == 0 }
    guard let unit = fits else { return "\(milliseconds) ms" }
    let count = milliseconds / unit.milliseconds
    return "\(count) \(count == 1 && unit.names[0] == "days" ? "day" : unit.names[0])"
  }

  /// A count and its unit: "10 s" or "10s".
  static func split(_ text: String) -> (count: Int64, unit: String)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard let count = Int64(digits), !unit.isEmpty else { return nil }
    return (count, String(unit))
  }
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
