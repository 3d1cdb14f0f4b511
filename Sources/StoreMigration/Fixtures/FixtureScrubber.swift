internal import CoreDataStore
internal import Formats
internal import Foundation
internal import SQLite

extension StoreFixture {
  /// Puts made-up values in the place of a store's own.
  ///
  /// A value is drawn from numbers that do not depend on what it replaces: only its kind and its
  /// shape stay, so that nothing can be computed back. Equal values get equal ones wherever they
  /// stand, different values different ones: what is unique stays unique, and what matches matches.
  final class Scrubber {
    /// Longer texts and bytes are cut here: a fixture is small.
    static let longest = 4096
    /// Whole numbers that are no larger stay: states, counts and places.
    private static let mostKept: UInt64 = 999
    /// Numbers that programs use for "none" and "no end".
    private static let marks: Set<Int64> = [
      .min, .max, Int64(Int32.min), Int64(Int32.max), Int64(Int16.min), Int64(Int16.max),
    ]
    private static let tries = 64

    private let key: [UInt8]
    private let dates: [Double: Double]
    private var drawn: UInt64 = 0
    /// The seed of each text and blob that was replaced, by its digest, and what came out of them.
    private var seeds: [[UInt8]: Seed] = [:]
    private var made: Set<[UInt8]> = []
    /// The same for numbers, by their bits.
    private var wholes: [Int64: Int64] = [:]
    private var reals: [UInt64: Double] = [:]
    private var madeWholes: Set<Int64> = []
    private var madeReals: Set<UInt64> = []

    /// The numbers that a replacement is drawn from.
    private struct Seed {
      let number: UInt64
      /// Whether its shape has no room left for another one, so that it becomes longer.
      let isLonger: Bool
      var random: SampleRandom { SampleRandom(number) }
    }

    /// - Parameters:
    ///   - key: What makes the values of this store others than those of another one.
    ///   - dates: All dates there are, in any order.
    init(key: [UInt8], dates: Set<Double>) {
      self.key = key
      let places = dates.sorted().enumerated().map { ($1, Self.step * Double($0)) }
      self.dates = Dictionary(places) { first, _ in first }
    }

    /// A day, an hour, a minute and a second: the dates of a fixture lie so far from one another.
    private static let step = 90_061.0

    /// A name for a file, which nothing else has.
    func fileName() -> String { uuid(seed(isLonger: false)).uuidString }

    private func seed(isLonger: Bool) -> Seed {
      drawn += 1
      let digest = Digest.sha256(key + Self.littleEndian(drawn))
      return Seed(
        number: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, isLonger: isLonger)
    }

    private static func littleEndian(_ number: UInt64) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// What is made with a seed that belongs to these bytes; the first that is new and fits.
    private func replacement<Result: Equatable>(
      _ kind: UInt8, _ bytes: [UInt8], fits: (Result) -> Bool, _ mark: (Result) -> [UInt8],
      _ make: (Seed) -> Result
    ) -> Result {
      let original = Digest.sha256([kind] + bytes)
      if let seed = seeds[original] { return make(seed) }
      var attempt = 0
      while true {
        let seed = seed(isLonger: attempt >= Self.tries)
        let result = make(seed)
        let found = Digest.sha256([kind] + mark(result))
        attempt += 1
        // A rule that nothing of this shape obeys is given up after half of the tries.
        guard found != original, attempt > Self.tries / 2 || fits(result),
          made.insert(found).inserted
        else { continue }
        seeds[original] = seed
        return result
      }
    }
  }
}

// Values of each type.
extension StoreFixture.Scrubber {
  /// What stands in the place of a value as it lies in its column, without the mark of external
  /// storage; `fits` says whether a value obeys the model's rules, where the old one does.
  func value(
    _ value: Value, _ type: AttributeType?, in range: ClosedRange<Double>? = nil,
    fits: (Value) -> Bool
  ) -> Value {
    switch (value, type) {
    case (.null, _): .null
    case (.integer(let truth), .boolean) where truth == 0 || truth == 1: value
    case (.integer(let seconds), .date): Self.numeric(date(Double(seconds)))
    case (.real(let seconds), .date): Self.numeric(date(seconds))
    case (.integer(let number), _): .integer(whole(number, in: range) { fits(.integer($0)) })
    case (.real(let number), _):
      .real(real(number, isFloat: type == .float) { fits(.real($0)) })
    case (.text(let text), .uri): .text(self.text(text, isAddress: true) { fits(.text($0)) })
    case (.text(let text), _): .text(self.text(text) { fits(.text($0)) })
    case (.blob(let bytes), .uuid) where bytes.count == 16: .blob(Self.bytes(of: uuid(bytes)))
    case (.blob(let bytes), _): .blob(self.bytes(bytes))
    }
  }

  /// The dates keep their order and their equality, not how far they are apart.
  ///
  /// The two that mean "always" and "never" stay.
  private func date(_ seconds: Double) -> Double {
    if Self.isEndless(seconds) { return seconds }
    return dates[seconds] ?? 0
  }

  /// Whether a date is `distantPast` or `distantFuture`.
  static func isEndless(_ seconds: Double) -> Bool {
    seconds == Date.distantPast.timeIntervalSinceReferenceDate
      || seconds == Date.distantFuture.timeIntervalSinceReferenceDate
  }

  /// "A REAL that can be represented exactly as an integer is converted" (SQLite, Datatypes).
  private static func numeric(_ number: Double) -> Value {
    Int64(exactly: number).map(Value.integer) ?? .real(number)
  }

  /// A number of as many digits and the same sign, and from a `range` as far as there are such.
  func whole(
    _ number: Int64, in range: ClosedRange<Double>? = nil, fits: (Int64) -> Bool = { _ in true }
  ) -> Int64 {
    guard number.magnitude > Self.mostKept, !Self.marks.contains(number) else { return number }
    if let known = wholes[number] { return known }
    let magnitude = Int64(number.magnitude)
    let top = [Int64(Int16.max), Int64(Int32.max), .max].first { magnitude <= $0 } ?? .max
    var low: Int64 = 1
    while low <= magnitude / 10 { low *= 10 }
    let (next, overflows) = low.multipliedReportingOverflow(by: 10)
    var high = overflows ? top : min(next - 1, top)
    let sign: Int64 = number < 0 ? -1 : 1
    if let range {
      let ends = [range.lowerBound, range.upperBound].map { Double(sign) * $0 }.sorted()
      let least = Int64(exactly: ends[0].rounded(.up)) ?? low
      let most = Int64(exactly: ends[1].rounded(.down)) ?? high
      if least < most, least <= magnitude, magnitude <= most {
        (low, high) = (max(low, least), min(high, most))
      }
    }
    var random = seed(isLonger: false).random
    var found = low + Int64(random.next() % UInt64(high - low + 1))
    for attempt in 0..<Int.max {
      // The last one that is free may be the number itself.
      let isOther = found != magnitude || attempt > 1 << 16
      let isNew = isOther && !madeWholes.contains(sign * found)
      if isNew, attempt >= Self.tries || fits(sign * found) { break }
      // Where nearly all numbers of so many digits are taken, the next one that is free will do.
      found =
        attempt < Self.tries
        ? low + Int64(random.next() % UInt64(high - low + 1)) : found == high ? low : found + 1
      if attempt > 1 << 20 { break }
    }
    madeWholes.insert(sign * found)
    wholes[number] = sign * found
    return sign * found
  }

  /// A number with other digits at the same places.
  func real(
    _ number: Double, isFloat: Bool = false, fits: (Double) -> Bool = { _ in true }
  ) -> Double {
    let isKept = number == number.rounded() && number.magnitude <= Double(Self.mostKept)
    guard number.isFinite, !isKept, number.magnitude < 1e300 else { return number }
    if let known = reals[number.bitPattern] { return known }
    let text = isFloat ? "\(Float(number))" : "\(number)"
    var found = number
    for attempt in 0..<(2 * Self.tries) {
      var random = seed(isLonger: false).random
      let digits = Shape.digits(text, isLonger: attempt >= Self.tries, &random)
      let made = isFloat ? Float(digits).map(Double.init) : Double(digits)
      guard let made, made.isFinite, made != number, !madeReals.contains(made.bitPattern),
        attempt > Self.tries / 2 || fits(made)
      else { continue }
      found = made
      break
    }
    madeReals.insert(found.bitPattern)
    reals[number.bitPattern] = found
    return found
  }

  /// A UUID; the same for its bytes and for its text.
  func uuid(_ bytes: [UInt8]) -> UUID {
    replacement(0, bytes, fits: { _ in true }, Self.bytes) { uuid($0) }
  }

  private func uuid(_ seed: Seed) -> UUID {
    var random = seed.random
    var b = random.bytes(16)
    // "Set the four most significant bits ... to the 4-bit version number", and "the two most
    // significant bits ... to zero and one" (RFC 4122, 4.4).
    b[6] = b[6] & 0x0F | 0x40
    b[8] = b[8] & 0x3F | 0x80
    return UUID(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]
      ))
  }

  static func bytes(of uuid: UUID) -> [UInt8] {
    let u = uuid.uuid
    return [
      u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
    ]
  }
}

// Texts.
extension StoreFixture.Scrubber {
  private func text(_ text: Text, isAddress: Bool = false, fits: (Text) -> Bool) -> Text {
    guard let string = text.string else {
      // What is not UTF-8 has no letters that could be replaced one by one.
      return Text(self.text(String(repeating: "x", count: text.bytes.count), of: text.bytes))
    }
    return Text(
      self.text(string, of: text.bytes, isAddress: isAddress) { fits(Text($0)) })
  }

  /// A text of the same shape.
  ///
  /// A UUID becomes the one that the bytes of that UUID become, and JSON stays JSON.
  func text(
    _ text: String, of bytes: [UInt8]? = nil, isAddress: Bool = false,
    fits: (String) -> Bool = { _ in true }
  ) -> String {
    guard !text.unicodeScalars.allSatisfy(\.properties.isWhitespace) else { return text }
    if text.utf8.count == 36, let id = UUID(uuidString: text) {
      let made = uuid(Self.bytes(of: id)).uuidString
      return text.contains(where: \.isLowercase) ? made.lowercased() : made
    }
    let bytes = bytes ?? Array(text.utf8)
    if let document = json(bytes) ?? propertyList(bytes) { return document }
    return replacement(1, bytes, fits: fits, { Array($0.utf8) }) { seed in
      var random = seed.random
      let shaped = Shape.filled(text, isAddress: isAddress, &random)
      return seed.isLonger ? shaped + Shape.letters(6, &random) : shaped
    }
  }

  /// A document with other names, texts and numbers at the same places; nil for what is no JSON.
  private func json(_ bytes: [UInt8]) -> String? {
    guard let first = bytes.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let value = try? JSONValue(reading: bytes)
    else { return nil }
    return json(value).text()
  }

  private func json(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool: value
    case .integer(let number): .integer(whole(number))
    case .real(let number): .real(real(number))
    case .string(let text): .string(self.text(text))
    case .array(let elements): .array(elements.map(json))
    case .object(let members):
      .object(members.map { .init(text($0.name), json($0.value)) })
    }
  }
}

// Bytes.
extension StoreFixture.Scrubber {
  /// Bytes of the same kind: pictures become small pictures, property lists and archives keep their
  /// structure, texts are texts.
  func bytes(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    if BinaryPropertyList.claims(bytes), let list = try? PropertyList(reading: bytes),
      let made = try? BinaryPropertyListWriter.write(document(list))
    {
      return made
    }
    let picture = Picture(of: bytes)
    if picture == nil, let text = Self.plainText(bytes) {
      return Array(self.text(text, of: bytes).utf8)
    }
    return replacement(2, bytes, fits: { _ in true }, { $0 }) { seed in
      var random = seed.random
      // Readers of pictures stop at the end of the picture; what follows makes each another one.
      if let picture { return picture.bytes + random.bytes(8) }
      return random.bytes(min(bytes.count, Self.longest) + (seed.isLonger ? 8 : 0))
    }
  }

  /// The text that bytes hold, unless something in them is no part of a text.
  private static func plainText(_ bytes: [UInt8]) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.value >= 32 || [9, 10, 13].contains($0.value) })
    else { return nil }
    return text
  }

  /// A property list in XML with the same structure; nil for what is none.
  private func propertyList(_ bytes: [UInt8]) -> String? {
    guard bytes.first == UInt8(ascii: "<"), let list = try? PropertyList(reading: bytes) else {
      return nil
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">\(Self.xml(document(list)))</plist>

      """
  }

  private static func xml(_ list: PropertyList) -> String {
    switch list {
    case .null: "<string></string>"
    case .bool(let truth): truth ? "<true/>" : "<false/>"
    case .integer(let number): "<integer>\(number)</integer>"
    case .unsigned(let number): "<integer>\(number)</integer>"
    case .real(let number): "<real>\(number)</real>"
    case .uid(let number): "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    case .date(let seconds):
      "<date>\(TimeText((seconds + 978_307_200).rounded(.down)).extended)</date>"
    case .data(let bytes): "<data>\(Data(bytes).base64EncodedString())</data>"
    case .string(let text): "<string>\(escaped(text))</string>"
    case .array(let elements): "<array>\(elements.map(xml).joined())</array>"
    case .dictionary(let entries):
      "<dict>"
        + entries.sorted { $0.key < $1.key }
        .map { "<key>\(escaped($0))</key>\(xml($1))" }.joined() + "</dict>"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// A property list; of an archive the objects, and not what says how they lie there.
  private func document(_ list: PropertyList) -> PropertyList {
    guard case .dictionary(var entries) = list, entries["$archiver"] != nil,
      let objects = entries["$objects"]?.array
    else { return part(list, keepsNames: false) }
    // The first object is "$null", which stands for nil.
    let made = objects.dropFirst().map { object in
      object["$classname"] == nil ? part(object, keepsNames: true) : object
    }
    // What "$top" names are objects, or numbers and bytes as they are.
    for name in entries.keys.sorted() where !["$archiver", "$version"].contains(name) {
      entries[name] =
        name == "$objects"
        ? .array(objects.prefix(1) + made) : entries[name].map { part($0, keepsNames: true) }
    }
    return .dictionary(entries)
  }

  /// A part of a property list, whose keys may be names of a program's, as those of an archive's
  /// objects are: the keys of an archived dictionary are objects themselves.
  private func part(_ list: PropertyList, keepsNames: Bool) -> PropertyList {
    switch list {
    case .null, .bool, .uid: list
    case .unsigned: .unsigned(seed(isLonger: false).number | 1 << 63)
    case .integer(let number): .integer(whole(number))
    case .real(let number): .real(real(number))
    case .date(let seconds): .date(real(seconds))
    case .data(let bytes): .data(self.bytes(bytes))
    case .string(let text): .string(self.text(text))
    case .array(let elements): .array(elements.map { part($0, keepsNames: keepsNames) })
    // A reference to another object of an archive, as XML has it.
    case .dictionary(let entries) where entries.count == 1 && entries["CF$UID"]?.integer != nil:
      list
    case .dictionary(let entries):
      .dictionary(
        Dictionary(
          entries.sorted { $0.key < $1.key }.map { name, value in
            // How far the attributes of a text reach, in single bytes that count letters.
            let isKept = keepsNames && name == "NSAttributeInfo"
            return (
              keepsNames ? name : text(name),
              isKept ? value : part(value, keepsNames: keepsNames)
            )
          }
        ) { first, _ in first })
    }
  }

  /// A picture of one pixel, or a few grey ones, of the kind that stood there.
  private enum Picture {
    case jpeg, png, gif

    init?(of bytes: [UInt8]) {
      if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
        self = .jpeg
      } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
        self = .png
      } else if bytes.starts(with: "GIF8".utf8) {
        self = .gif
      } else {
        return nil
      }
    }

    var bytes: [UInt8] {
      switch self {
      case .jpeg: Self.grey
      case .png: Self.decoded(Self.pixelOfPNG)
      case .gif: Self.decoded("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
      }
    }

    private static let pixelOfPNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
      + "rkJggg=="

    private static func decoded(_ text: String) -> [UInt8] {
      Data(base64Encoded: text).map { Array($0) } ?? []
    }

    /// Eight by eight pixels of one grey: a table for the quantisation, a frame, a code of one bit
    /// for "no difference" and one for "end of block", and a scan of these two bits.
    private static let grey: [UInt8] = {
      let code = [1] + [UInt8](repeating: 0, count: 16)
      return [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
        + [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        + [0xFF, 0xC4, 0, 20, 0x00] + code + [0xFF, 0xC4, 0, 20, 0x10] + code
        + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F, 0xFF, 0xD9]
    }()
  }
}
