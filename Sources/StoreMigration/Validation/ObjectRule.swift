internal import CoreDataStore

/// Something that must be true of an object or of one of its links.
enum ObjectRule: Hashable, Sendable {
  /// It has a value, or leads to an object.
  case mandatory
  /// What the model says of an attribute's values.
  case value(ValidationRule)
  /// It leads to this many objects or more; none at all may be right, too.
  case atLeast(Int, orNone: Bool)
  /// It leads to this many objects or fewer.
  case atMost(Int)
  /// No other object has the same values of these properties.
  case unique([String])
  /// The object that it leads to is there, and of the right entity.
  case present
  /// The number next to the key is that of the entity of the object it leads to.
  case entityNumber
  /// The object that it leads to leads back.
  case inverse
  /// The number of the entity is one of its table's.
  case family
  /// Z_MAX is not below the highest key, and the number, name and parent are the model's.
  case primaryKey
  /// The source's value has a counterpart in the type that it is converted to.
  case convertible(to: String)
  /// There are as many objects as the mapping makes.
  case count(expected: Int64, found: Int64)
}

extension ObjectRule {
  /// What Core Data looks for by itself when it has migrated; nil for what only an application that
  /// saves would find.
  func need(isRelationship: Bool) -> InferenceRules.Need? {
    switch self {
    case .mandatory: isRelationship ? .toOne : .attribute
    case .atLeast(1, orNone: false): .toMany
    default: nil
    }
  }
}

extension ObjectRule: CustomStringConvertible {
  var description: String {
    switch self {
    case .mandatory: "mandatory"
    case .value(let rule): rule.description
    case .atLeast(let count, let orNone):
      "at least \(Self.objects(count))" + (orNone ? " or none" : "")
    case .atMost(let count): "at most \(Self.objects(count))"
    case .unique(let properties): "unique \(properties.joined(separator: ", "))"
    case .present: "leads to an object that is there"
    case .entityNumber: "the number of the entity next to the key is right"
    case .inverse: "the inverse leads back"
    case .family: "the number of the entity is one of its table's"
    case .primaryKey: "Z_PRIMARYKEY is right"
    case .convertible(let type): "must become a value of the type \(type)"
    case .count(let expected, let found):
      "as many objects as the mapping makes: \(expected), found \(found)"
    }
  }

  private static func objects(_ count: Int) -> String {
    count == 1 ? "1 object" : "\(count) objects"
  }
}
