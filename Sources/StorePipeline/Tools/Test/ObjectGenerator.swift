internal import CoreDataStore
internal import Foundation

/// Makes objects of an entity that stores really have and authors forget: missing values, empty and
/// very long texts, the ends of every range, what is not a number, dates before 2001.
struct ObjectGenerator {
  private let attributes: [Attribute]
  private var random: ScriptRandom

  /// The length of the longest text and the largest bytes.
  static let longest = 10_000_000

  /// A generator that makes the same objects again under the same name.
  init(_ entity: Entity, in model: Model, name: String) {
    attributes = model.allAttributes(of: entity).filter { $0.isStored && $0.derivation == nil }
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
    return values
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
