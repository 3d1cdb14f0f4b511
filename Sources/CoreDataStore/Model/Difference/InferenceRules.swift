/// What Core Data infers by itself, and what it refuses, in its own words and numbers, so that what
/// Xcode prints can be found here.
///
/// Entities and properties are paired by their renaming identifiers on either side; hierarchies may
/// change except that roots cannot be merged.
package enum InferenceRules {
  /// What Core Data makes of a new or changed property.
  package enum Answer: Hashable, Sendable {
    case inferred
    /// It is inferred, and the objects are looked at when all are copied; the sentence says what
    /// ends the migration then.
    case conditional(String)
    /// It is refused before anything is copied; the sentence says why.
    case refused(String)

    /// Why Core Data refuses; nil when it does not.
    package var obstacle: String? {
      guard case .refused(let why) = self else { return nil }
      return why
    }

    /// What must be true of the objects; nil when nothing must.
    package var condition: String? {
      guard case .conditional(let what) = self else { return nil }
      return what
    }
  }

  /// What it makes of a property that the source has not.
  package static func answer(adding property: any Property) -> Answer {
    guard !property.isTransient else { return .inferred }
    switch property {
    case let attribute as Attribute:
      guard !attribute.isOptional, attribute.defaultValue == nil, attribute.derivation == nil
      else { return .inferred }
      return .conditional(missingValue("it is mandatory and has no default"))
    case let relationship as Relationship: return answer(needing: relationship)
    default: return .inferred
    }
  }

  /// What it makes of an attribute that has changed.
  package static func answer(_ old: Attribute, _ new: Attribute) -> Answer {
    guard !new.isTransient, new.derivation == nil else { return .inferred }
    if old.isTransient || old.derivation != nil { return answer(adding: new) }
    if let obstacle = obstacle(old, new) { return .refused(obstacle) }
    guard old.isOptional, !new.isOptional, new.defaultValue == nil else { return .inferred }
    return .conditional(missingValue("it becomes mandatory without a default"))
  }

  /// What it makes of a relationship that has changed.
  ///
  /// Links cannot be carried over to a destination that is another entity, so that objects have
  /// none.
  package static func answer(
    _ old: Relationship, _ new: Relationship, isSameDestination: Bool
  ) -> Answer {
    guard !new.isTransient else { return .inferred }
    if old.isTransient { return answer(needing: new) }
    if old.isToMany, !new.isToMany {
      return .refused(oneOfMany)
    }
    return isSameDestination && needsObject(old) ? .inferred : answer(needing: new)
  }

  /// What it makes of a new relationship to one object, of which `inverse` is the inverse and
  /// leads to many, and `old` is what that was before.
  package static func answer(
    adding relationship: Relationship, inverseOf inverse: Relationship, from old: Relationship
  ) -> Answer {
    guard !relationship.isTransient, !relationship.isToMany, inverse.isToMany, !old.isToMany,
      !old.isTransient
    else { return answer(adding: relationship) }
    return .refused(
      "Core Data cannot make it the inverse of \(inverse.name), which led to one object "
        + "(Unsupported relationship migration: A to-one's inverse to-many source must be a "
        + "to-many)")
  }

  /// Why a relationship to many cannot become one to one.
  package static let oneOfMany =
    "Core Data cannot choose one of many (134190: Can not map from a to-many to a to-one "
    + "relationship)"

  /// Why Core Data refuses something that has the renaming identifier of `others`.
  package static func ambiguity(_ kind: String, among others: [String]) -> String {
    "it has the same renaming identifier as \(others.joined(separator: " and ")) (134190: Each "
      + "\(kind) must have a unique renaming identifier)"
  }

  /// Why the entities of several old tables cannot come together in one.
  package static func merging(_ roots: [String], into root: String) -> String {
    "Core Data cannot merge \(roots.joined(separator: " and ")), which had tables of their own, "
      + "into the table of \(root) (134190: Cannot merge multiple root entity source tables into "
      + "one destination entity root table)"
  }
}

// Attributes.
extension InferenceRules {
  private static let transformation = "NSMigrationAllowTypeTransformation"

  /// Why values cannot be carried over.
  private static func obstacle(_ old: Attribute, _ new: Attribute) -> String? {
    if old.type != new.type, [old.type, new.type].contains(.codable) {
      return "only Core Data turns \(old.type.name) into \(new.type.name): it encodes the values "
        + "again"
    }
    if new.userInfo[transformation] != nil { return obstacle(transforming: old, new) }
    if !isCarried(old.type, to: new.type) {
      return "Core Data cannot turn \(old.type.name) into \(new.type.name) (134190: Source and "
        + "destination attribute types are incompatible)"
    }
    if old.type == .binary, old.usesExternalStorage, !new.usesExternalStorage {
      return "Core Data cannot bring files into the store (134190: Unable to use inferred mapping "
        + "to move external reference into store.)"
    }
    return nil
  }

  /// Numbers and truth values turn into one another; every other type stays what it is.
  package static func isCarried(_ old: AttributeType, to new: AttributeType) -> Bool {
    func isNumber(_ type: AttributeType) -> Bool { type.facts.isNumber || type == .boolean }
    return old == new ? old != .undefined : isNumber(old) && isNumber(new)
  }

  /// With the key in the new attribute's user info only data may change, and nothing else may stand
  /// there.
  private static func obstacle(transforming old: Attribute, _ new: Attribute) -> String? {
    let data: Set<AttributeType> = [.binary, .transformable]
    if !data.contains(old.type) || !data.contains(new.type) {
      return "\(transformation) is for data alone (134190: Type Transformation expects "
        + "NSTransformableAttributeType or NSBinaryDataAttributeType)"
    }
    if old.type != new.type, old.usesExternalStorage || new.usesExternalStorage {
      return "\(transformation) is for data in the store (134190: Type Transformation expects "
        + "NSBinaryDataAttributeType NOT to be stored externally)"
    }
    return nil
  }
}

// What is looked at when all objects are copied.
extension InferenceRules {
  /// What Core Data looks for: objects without a value, or without a link, that they now need.
  package enum Need: String, Sendable {
    case attribute = "missing attribute values on mandatory destination attribute"
    case toOne = "missing attribute values on mandatory destination relationship"
    case toMany = "missing relationship values on mandatory destination destination"

    /// With what it ends the migration then.
    package var refusal: String { "134110: Validation error \(rawValue)" }
  }

  private static func needsObject(_ relationship: Relationship) -> Bool {
    relationship.isToMany
      ? relationship.minCount > 0 && !relationship.isOptional : !relationship.isOptional
  }

  private static func answer(needing relationship: Relationship) -> Answer {
    guard needsObject(relationship) else { return .inferred }
    let need = relationship.isToMany ? Need.toMany : .toOne
    return .conditional("it needs an object: one without ends the migration (\(need.refusal))")
  }

  private static func missingValue(_ why: String) -> String {
    "\(why): an object without a value ends the migration (\(Need.attribute.refusal))"
  }
}
