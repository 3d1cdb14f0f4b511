internal import CoreDataStore
internal import Foundation

/// Makes objects of an entity that stores really have and authors forget: missing values, empty and
/// very long texts, the ends of every range, what is not a number, dates before 2001.
struct ObjectGenerator {
  private let attributes: [Attribute]
  /// The attributes, of each uniqueness constraint that is about nothing else.
  private let constraints: [[Attribute]]
  private var seen: Set<[AttributeValue]> = []
  private var random: ScriptRandom

  /// The length of the longest text and the largest bytes.
  static let longest = 10_000_000

  /// A generator that makes the same objects again under the same name.
  init(_ entity: Entity, in model: Model, name: String) {
    let attributes = model.allAttributes(of: entity).filter {
      $0.isStored && $0.derivation == nil
    }
    self.attributes = attributes
    // An object without a link is like no other.
    constraints = model.lineage(of: entity).flatMap(\.uniquenessConstraints).compactMap { names in
      let found = names.compactMap { name in attributes.first { $0.name == name } }
      return found.count == names.count ? found : nil
    }
    random = ScriptRandom(run: "property", entity: name, key: 0)
  }

  /// The values of the object at a place, counted from 0.
  ///
  /// Each attribute takes its special values in turn, beginning at another one; one value in the
  /// first objects is very long, an attribute an object.
  mutating func values(_ place: Int) -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    for (number, attribute) in attributes.enumerated() {
      let special = Self.special(attribute)
      guard !special.isEmpty else { continue }
      let turn = place < special.count ? place + number : Int(random.integer(in: 0...999))
      values[attribute.name] = special[turn % special.count]
    }
    let long = attributes.filter { [.string, .binary].contains($0.type) && $0.validation.isEmpty }
    if long.indices.contains(place) { values[long[place].name] = Self.long(long[place].type) }
    for constraint in constraints { distinguish(&values, constraint, place) }
    return values
  }

  /// Gives an attribute of a uniqueness constraint another value where the object would be like an
  /// earlier one.
  private mutating func distinguish(
    _ values: inout [String: AttributeValue], _ constraint: [Attribute], _ place: Int
  ) {
    func key() -> [AttributeValue] {
      constraint.map { .string($0.name) } + constraint.map { Self.plain(values[$0.name] ?? .null) }
    }
    guard !key().contains(.null), !seen.insert(key()).inserted else { return }
    for attribute in constraint {
      guard let value = Self.distinct(attribute.type, place) else { continue }
      values[attribute.name] = value
      if seen.insert(key()).inserted { return }
    }
    // Of truth values there are two: what has none is like no other.
    if let last = constraint.last { values[last.name] = .null }
  }

  /// A value as the store compares it: NULL for what is not a number.
  private static func plain(_ value: AttributeValue) -> AttributeValue {
    switch value {
    case .real(let number) where number.isNaN: .null
    case .real(let number), .date(let number): .real(number == 0 ? 0 : number)
    case .decimal(let text): Double(text).map(AttributeValue.real) ?? value
    default: value
    }
  }

  private static func distinct(_ type: AttributeType, _ place: Int) -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64: .integer(Int64(place) + 2)
    case .double, .float: .real(Double(place) + 2)
    case .decimal: .decimal("\(place + 2)")
    case .date: .date(Double(place) + 2)
    case .string: .string("text \(place)")
    case .uri: .uri("urn:\(place)")
    case .binary: .binary(Array("\(place)".utf8))
    case .uuid:
      UUID(uuidString: "00000000-0000-4000-8000-" + digits(place)).map(AttributeValue.uuid)
    case .boolean, .transformable, .codable, .undefined, .objectID, .composite, .unknown: nil
    }
  }

  private static func digits(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, 12 - text.count)) + text
  }

  private static func long(_ type: AttributeType) -> AttributeValue {
    type == .binary
      ? .binary(Array(repeating: 0x2a, count: longest))
      : .string(String(repeating: "long ", count: longest / 5))
  }

  private static func special(_ attribute: Attribute) -> [AttributeValue] {
    (attribute.isOptional ? [.null] : []) + typed(attribute.type)
  }

  private static func typed(_ type: AttributeType) -> [AttributeValue] {
    switch type {
    case .integer16, .integer32, .integer64: type.facts.range.map(integers) ?? []
    case .boolean: [.boolean(false), .boolean(true)]
    // A store cannot hold what is not a number: SQLite makes NULL of it.
    case .double:
      [0, -0.0, 0.1, -1.5, 1e308, .leastNonzeroMagnitude, .infinity, .nan].map(AttributeValue.real)
    case .float: [0, 0.5, -1.5, 3.4e38, .infinity, .nan].map(AttributeValue.real)
    case .decimal:
      ["0", "-12.25", "0.0000001", "99999999999999", "12345678901234567890"]
        .map(AttributeValue.decimal)
    // 1970, the first year there is, now and the year 9999.
    case .date:
      [0, -978_307_200, -63_114_076_800, 0.5, 800_000_000, 252_423_993_599]
        .map(AttributeValue.date)
    case .string: texts.map(AttributeValue.string)
    case .uri: ["", "https://example.org/ä?b=c#d", "x-coredata://A/B/p1"].map(AttributeValue.uri)
    case .uuid:
      [UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))].map(AttributeValue.uuid)
    case .binary: [[], [0], Array(0...255)].map(AttributeValue.binary)
    case .transformable, .codable: [[], [0x62, 0x70, 0x6c]].map(AttributeValue.transformable)
    case .undefined, .objectID, .composite, .unknown: []
    }
  }

  private static func integers(_ range: ClosedRange<Int64>) -> [AttributeValue] {
    [0, 1, -1, range.lowerBound, range.upperBound].map(AttributeValue.integer)
  }

  private static let texts = [
    "", " ", "a", "Ärger", "👩‍👩‍👧‍👦🇩🇪", "e\u{301}", "\u{202e}abc", "NULL", "0",
    "line\nline\r\n\ttab", "'\"\\%s]]--", String(repeating: "word ", count: 200),
  ]
}
