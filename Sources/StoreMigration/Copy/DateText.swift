/// Dates as text.
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
