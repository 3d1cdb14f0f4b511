/// Reads the XML form of property lists: `.xccurrentversion`, VersionInfo.plist.
enum XMLPropertyListReader {
  /// The value inside `<plist>`.
  static func read(_ bytes: [UInt8], limits: FormatLimits) throws(FormatError) -> PropertyList {
    let root = try XMLTree(bytes, limits: limits).root
    guard root.name == "plist" else { throw failure("the root is not <plist>", root) }
    guard root.children.count == 1, let only = root.children.first, isBlank(root.text) else {
      throw failure("<plist> must hold one value", root)
    }
    return try value(only)
  }

  /// The depth of elements was limited when the tree was built.
  private static func value(_ element: XMLTree.Element) throws(FormatError) -> PropertyList {
    switch element.name {
    case "dict": return .dictionary(try entries(element))
    case "array":
      guard isBlank(element.text) else { throw failure("text between values", element) }
      var values: [PropertyList] = []
      for child in element.children { values.append(try value(child)) }
      return .array(values)
    default:
      guard element.children.isEmpty else { throw failure("a value inside a value", element) }
      return try scalar(element)
    }
  }

  private static func entries(
    _ element: XMLTree.Element
  ) throws(FormatError) -> [String: PropertyList] {
    guard isBlank(element.text), element.children.count.isMultiple(of: 2) else {
      throw failure("keys and values do not pair up", element)
    }
    var entries: [String: PropertyList] = [:]
    for place in stride(from: 0, to: element.children.count, by: 2) {
      let key = element.children[place]
      guard key.name == "key", key.children.isEmpty else { throw failure("not a <key>", key) }
      let value = try value(element.children[place + 1])
      guard entries.updateValue(value, forKey: key.text) == nil else {
        throw failure("the same key twice", key)
      }
    }
    return entries
  }

  private static func scalar(_ element: XMLTree.Element) throws(FormatError) -> PropertyList {
    let value: PropertyList? =
      switch element.name {
      case "string": .string(element.text)
      case "true": .bool(true)
      case "false": .bool(false)
      case "integer": integer(element.text)
      case "real": Double(trimmed(element.text)).map(PropertyList.real)
      case "date": PropertyListDate.seconds(element.text).map(PropertyList.date)
      case "data":
        // Where something is wrong in it would be counted without its spaces.
        try? PropertyList.data(
          Base64.decode(
            String(decoding: element.text.utf8.filter { !$0.isXMLSpace }, as: UTF8.self)))
      default: throw failure("unknown value", element)
      }
    guard let value else { throw failure("a value that cannot be read", element) }
    return value
  }

  /// Decimal, or hexadecimal after 0x, as CoreFoundation reads it.
  private static func integer(_ text: String) -> PropertyList? {
    let text = trimmed(text)
    var value = Int128(text)
    if text.lowercased().hasPrefix("0x"), text.dropFirst(2).allSatisfy(\.isHexDigit) {
      value = Int128(text.dropFirst(2), radix: 16)
    }
    guard let value else { return nil }
    if let signed = Int64(exactly: value) { return .integer(signed) }
    return UInt64(exactly: value).map(PropertyList.unsigned)
  }

  private static func isBlank(_ text: String) -> Bool { text.utf8.allSatisfy(\.isXMLSpace) }

  private static func trimmed(_ text: String) -> Substring {
    let start = text.utf8.firstIndex { !$0.isXMLSpace } ?? text.endIndex
    let end = text.utf8.lastIndex { !$0.isXMLSpace }.map(text.utf8.index(after:)) ?? text.endIndex
    return text[min(start, end)..<end]
  }

  private static func failure(_ problem: String, _ element: XMLTree.Element) -> FormatError {
    FormatError(.xmlPropertyList, "<\(element.name)>: \(problem)", at: .line(element.line))
  }
}

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
