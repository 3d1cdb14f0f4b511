/// A moment as text of ISO 8601, in UTC: in records, and in the names of runs and backups.
///
/// Foundation has styles for it, and with these come calendars, time zones and locales: to load
/// them takes a good part of the time in which a small store is migrated.
package struct TimeText {
  private let date: (year: Int64, month: Int64, day: Int64)
  private let milliseconds: Int64

  /// A moment in seconds since 1970.
  package init(_ seconds: Double) {
    let all = Int64((max(-Self.most, min(seconds, Self.most)) * 1000).rounded(.down))
    let days = Self.quotient(all, Self.day)
    date = Self.date(days)
    milliseconds = all - days * Self.day
  }

  /// A moment in whole seconds since 1970.
  package init(_ seconds: Int64) { self.init(Double(seconds)) }

  /// The usual form, "2026-11-21T14:45:49Z".
  package var extended: String { "\(day("-"))T\(time(":"))Z" }

  /// The usual form to the millisecond, "2026-11-21T14:45:49.123Z".
  package var precise: String { "\(day("-"))T\(time(":")).\(Self.digits(milliseconds % 1000, 3))Z" }

  /// The form without separators, "20261121T144549Z".
  package var basic: String { "\(day(""))T\(time(""))Z" }

  /// The form for names of files, "2026-11-21T144549Z": sorted by name is sorted by time, and there
  /// are no colons, which some systems refuse.
  package var fileName: String { "\(day("-"))T\(time(""))Z" }

  /// The moment of a ``basic`` text, in seconds since 1970; nil for any other text.
  package static func seconds(basic text: some StringProtocol) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else {
      return nil
    }
    func number(_ range: Range<Int>) -> Int64 {
      bytes[range].reduce(0) { $0 * 10 + Int64($1) - Int64(UInt8(ascii: "0")) }
    }
    let date = (number(0..<4), number(4..<6), number(6..<8))
    let seconds =
      days(date) * 86_400 + number(9..<11) * 3600 + number(11..<13) * 60 + number(13..<15)
    // A month of 13, a letter for a digit: such a text is not what the moment would be written as.
    return TimeText(seconds).basic == String(text) ? seconds : nil
  }
}

extension TimeText {
  private static let day: Int64 = 86_400_000
  /// Some thousands of years to either side.
  private static let most = 1e12

  private func day(_ separator: String) -> String {
    [Self.digits(date.year, 4), Self.digits(date.month, 2), Self.digits(date.day, 2)]
      .joined(separator: separator)
  }

  private func time(_ separator: String) -> String {
    let seconds = milliseconds / 1000
    return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { Self.digits($0, 2) }
      .joined(separator: separator)
  }

  private static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  private static func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }

  /// The days of 400 years, after which the calendar is the same again.
  private static let era: Int64 = 146_097
  /// From the first of March of the year 0 to the first day of 1970.
  private static let epoch: Int64 = 719_468

  /// The day of the Gregorian calendar, so many days after the first of 1970.
  ///
  /// Counted from March on: the day that is there in some years only is the last of a year then,
  /// and the months' lengths are those of a line, 153 days in five months.
  private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let era = quotient(days + epoch, Self.era)
    let inEra = days + epoch - era * Self.era
    let year = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * year + year / 4 - year / 100)
    let month = (5 * inYear + 2) / 153
    let isNextYear = month >= 10
    return (
      year + era * 400 + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
      inYear - (153 * month + 2) / 5 + 1
    )
  }

  private static func days(_ date: (year: Int64, month: Int64, day: Int64)) -> Int64 {
    let year = date.month > 2 ? date.year : date.year - 1
    let era = quotient(year, 400)
    let inEra = year - era * 400
    let month = date.month > 2 ? date.month - 3 : date.month + 9
    let inYear = (153 * month + 2) / 5 + date.day - 1
    return era * Self.era + inEra * 365 + inEra / 4 - inEra / 100 + inYear - epoch
  }
}
