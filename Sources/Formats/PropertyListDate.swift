/// Dates as XML property lists write them.
enum PropertyListDate {
  /// Seconds since 2001-01-01 UTC of a date like 2024-02-29T12:00:00Z.
  static func seconds(_ text: String) -> Double? {
    let text = Array(text.utf8.drop(while: \.isXMLSpace).prefix { !$0.isXMLSpace })
    let shape = Array("dddd-dd-ddTdd:dd:ddZ".utf8)
    let digit = UInt8(ascii: "d")
    guard text.count == shape.count,
      zip(text, shape).allSatisfy({ $1 == digit ? 0x30...0x39 ~= $0 : $0 == $1 })
    else { return nil }
    func number(_ range: Range<Int>) -> Int { text[range].reduce(0) { $0 * 10 + Int($1 & 15) } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60 else { return nil }
    let days = days(year, month, day) - days(2001, 1, 1)
    return Double(((days * 24 + hour) * 60 + minute) * 60 + second)
  }

  /// Days of the Gregorian calendar, counted in eras of 400 years whose years begin in March.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  }
}
