/// What the names of two attributes say where they say different units: "tempF" and "tempC".
struct UnitChange {
  /// The unit of the old name, as it is called.
  let old: String
  let new: String
  private let sizes: (old: Int64, new: Int64)
  private let isTemperature: Bool

  private enum Kind {
    case length, mass, time, speed, energy, money, sterling, temperature
  }

  private struct Unit {
    let kind: Kind
    let name: String
    /// How many of a small unit of its kind it is: a tenth of a millimetre, a billionth of a gram,
    /// a millisecond, a metre an hour, a joule, a cent.
    ///
    /// Two units of the same size, or of none, are money of two countries: there is no fixed rate.
    let size: Int64
  }

  /// The units by the words for them.
  ///
  /// The words for parts of a date are not among them: an alarm has an hour and a minute.
  private static let units: [String: [Unit]] = {
    let all: [(kind: Kind, size: Int64, words: String)] = [
      (.length, 10, "mm millimeter millimeters millimetre millimetres"),
      (.length, 100, "cm centimeter centimeters centimetre centimetres"),
      (.length, 10_000, "m meter meters metre metres"),
      (.length, 10_000_000, "km kms kilometer kilometers kilometre kilometres"),
      (.length, 254, "inches inch in"), (.length, 3048, "feet foot ft"),
      (.length, 9144, "yards yard yd"), (.length, 16_093_440, "miles mile mi"),
      (.mass, 1_000_000, "mg milligram milligrams"), (.mass, 1_000_000_000, "g gram grams"),
      (.mass, 1_000_000_000_000, "kg kgs kilo kilos kilogram kilograms"),
      (.mass, 28_349_523_125, "oz ounce ounces"),
      (.mass, 453_592_370_000, "lb lbs pound pounds"),
      (.time, 1, "ms millis millisecond milliseconds"), (.time, 1000, "s sec secs seconds"),
      (.time, 60_000, "min mins minutes"), (.time, 3_600_000, "h hr hrs hours"),
      (.time, 86_400_000, "days"), (.time, 604_800_000, "weeks"),
      (.speed, 1_000_000, "kmh kph"), (.speed, 1_609_344, "mph"), (.speed, 1_852_000, "knots"),
      (.energy, 1000, "kj kilojoule kilojoules"), (.energy, 4184, "kcal kilocalories"),
      (.money, 1, "cents cent"), (.money, 100, "dollars dollar usd"),
      (.money, 100, "euros euro eur"), (.money, 0, "pounds gbp pence pennies"),
      (.sterling, 1, "pence pennies"), (.sterling, 100, "pounds gbp"),
      (.temperature, 0, "Celsius centigrade c"), (.temperature, 1, "Fahrenheit f"),
      (.temperature, 2, "Kelvin k"),
    ]
    let named = all.flatMap { kind, size, words -> [(String, Unit)] in
      let list = words.split(separator: " ").map { String($0) }
      return list.map { ($0.lowercased(), Unit(kind: kind, name: list[0], size: size)) }
    }
    return Dictionary(grouping: named) { $0.0 }.mapValues { $0.map(\.1) }
  }()

  /// The units of two names; nil where they do not say that one thing is measured in two ways.
  init?(from old: PlainName, to new: PlainName) {
    guard let first = Self.last(of: old), let second = Self.last(of: new),
      Self.areAlike(first, second)
    else { return nil }
    let pairs = first.units.flatMap { one in second.units.map { (one, $0) } }
    let alike = pairs.filter { $0.kind == $1.kind }
    guard !pairs.contains(where: { $0.name == $1.name }),
      let (one, other) = alike.first(where: { $0.size > 0 && $1.size > 0 }) ?? alike.first
    else { return nil }
    // Temperatures have no other short names.
    let areVague = Self.vague.contains(first.word) && Self.vague.contains(second.word)
    guard one.kind == .temperature || !areVague else { return nil }
    (self.old, self.new, sizes) = (one.name, other.name, (one.size, other.size))
    isTemperature = one.kind == .temperature
  }

  /// Words that mean something else as often: "scoreMin" is the least, and "checkIn" no inch.
  ///
  /// Such a word is a unit only with what is measured in it.
  private static let vague: Set = ["c", "f", "k", "m", "s", "h", "g", "in", "min", "mi"]

  private static let measured: [Kind: Set<String>] = [
    .length: [
      "distance", "dist", "length", "height", "width", "depth", "altitude", "elevation", "radius",
      "diameter", "thickness", "circumference", "waist",
    ],
    .mass: [
      "weight", "mass", "protein", "carbs", "fat", "sugar", "salt", "fiber", "portion", "serving",
    ],
    .time: [
      "duration", "time", "length", "elapsed", "interval", "delay", "timeout", "period", "lap",
    ],
    .temperature: ["temp", "temps", "temperature", "temperatures", "deg", "degree", "degrees"],
  ]

  /// The units that a word of a name may be.
  private static func meanings(of word: String, among words: [String]) -> [Unit] {
    let found = units[word] ?? []
    guard vague.contains(word) else { return found }
    return found.filter { unit in
      words.contains { measured[unit.kind]?.contains($0) == true }
    }
  }

  /// Words with which a unit is no measure by itself: prices per kilogram, areas and volumes.
  private static let composing: Set = [
    "per", "sq", "square", "squared", "cubic", "cubed", "cu",
  ]

  /// Whether a new number may be an amount of money, as far as the names say; no other unit is
  /// guessed to be in hundredths.
  static func mayBeMoney(from old: String, to new: String) -> Bool {
    [old, new].allSatisfy { name in
      last(of: PlainName(name))?.units.contains { [.money, .sterling].contains($0.kind) } ?? true
    }
  }

  /// Whether a name says a unit.
  static func has(_ name: PlainName) -> Bool { last(of: name) != nil }

  private typealias Found = (word: String, units: [Unit], rest: [String])

  /// The last word of a name that is a unit, and the others.
  private static func last(of name: PlainName) -> Found? {
    let words = name.words.map { String($0) }
    guard composing.isDisjoint(with: words),
      let place = words.lastIndex(where: { !meanings(of: $0, among: words).isEmpty })
    else { return nil }
    let found = meanings(of: words[place], among: words)
    let rest = words.indices.filter { $0 != place && words[$0] != "in" }.map { words[$0] }
    // Feet and inches are one measure in two units.
    let others = rest.filter { $0.count > 1 }.flatMap { units[$0] ?? [] }.map(\.kind)
    return found.contains { others.contains($0.kind) } ? nil : (words[place], found, rest)
  }

  /// Whether what is measured has the same name, as far as it has one: a lowest temperature is no
  /// highest one.
  private static func areAlike(_ first: Found, _ second: Found) -> Bool {
    func has(_ all: [String], _ word: String) -> Bool {
      all.contains { $0.hasPrefix(word) || word.hasPrefix($0) }
    }
    return first.rest.allSatisfy { has(second.rest, $0) }
      || second.rest.allSatisfy { has(first.rest, $0) }
  }

  /// What is said where the numbers are taken as they are.
  var warning: String { ", but the names say \(old) and \(new): the numbers stay as they are" }

  /// What makes the new number of the old one, as Lua writes it; nil where there is no fixed rate.
  func formula(_ number: String) -> String? {
    guard !isTemperature else { return temperature(number) }
    let (before, after) = sizes
    guard before != after, before > 0, after > 0 else { return nil }
    if before % after == 0 { return "\(number) * \(before / after)" }
    if after % before == 0 { return "\(number) / \(after / before)" }
    let factors = [(before, after, "*"), (after, before, "/")]
      .map { (text: "\(Double($0) / Double($1))", sign: $2) }
    let short = factors[0].text.count <= factors[1].text.count ? factors[0] : factors[1]
    return "\(number) \(short.sign) \(short.text)"
  }

  private func temperature(_ number: String) -> String? {
    switch (old, new) {
    case ("Fahrenheit", "Celsius"): "(\(number) - 32) * 5 / 9"
    case ("Celsius", "Fahrenheit"): "\(number) * 9 / 5 + 32"
    case ("Celsius", "Kelvin"): "\(number) + 273.15"
    case ("Kelvin", "Celsius"): "\(number) - 273.15"
    case ("Fahrenheit", "Kelvin"): "(\(number) - 32) * 5 / 9 + 273.15"
    case ("Kelvin", "Fahrenheit"): "(\(number) - 273.15) * 9 / 5 + 32"
    default: nil
    }
  }
}

extension LikelyRenamings {
  /// Whether a name has more words in common with one of two others.
  func isNearer(_ one: String, _ near: String, than far: String) -> Bool {
    name(one).common(with: name(near)) > name(one).common(with: name(far))
  }

  /// What is said of a new name that has another unit; empty for any other.
  func unitNote(_ old: String, _ new: String) -> String {
    UnitChange(from: name(old), to: name(new))?.warning ?? ""
  }
}
