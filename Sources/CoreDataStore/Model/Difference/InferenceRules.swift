/// What Core Data can infer by itself, and what it cannot.
///
/// Apple, *Migrating your data model automatically*: attributes may be added, removed, become
/// optional, or become mandatory with a default; relationships may be added, removed, change from
/// to-one to to-many, and from unordered to ordered and back; entities and properties may be
/// renamed by a renaming identifier; hierarchies may change except that roots cannot be merged.
package enum InferenceRules {
  /// Why a new property needs more than inference.
  package static func obstacle(adding property: any Property) -> String? {
    guard !property.isOptional, !property.isTransient else { return nil }
    switch property {
    case let attribute as Attribute:
      let hasValue = attribute.defaultValue != nil || attribute.derivation != nil
      return hasValue ? nil : "it is mandatory and has no default for the objects that exist"
    case is Relationship: return "it is mandatory, and the objects that exist have none"
    default: return nil
    }
  }

  /// Why a changed attribute needs more than inference.
  package static func obstacle(_ old: Attribute, _ new: Attribute) -> String? {
    guard !new.isTransient, new.derivation == nil else { return nil }
    if old.isTransient { return obstacle(adding: new) }
    if old.type != new.type {
      return "Core Data cannot turn \(old.type.name) into \(new.type.name)"
    }
    guard old.isOptional, !new.isOptional, new.defaultValue == nil else { return nil }
    return "it becomes mandatory without a default for the objects that have no value"
  }

  /// Why a changed relationship needs more than inference.
  package static func obstacle(
    _ old: Relationship, _ new: Relationship, isSameDestination: Bool
  ) -> String? {
    guard !new.isTransient else { return nil }
    if old.isTransient { return obstacle(adding: new) }
    if !isSameDestination { return "Core Data cannot lead it to another entity" }
    if old.isToMany, !new.isToMany { return "Core Data cannot choose one of many" }
    guard old.isOptional, !new.isOptional else { return nil }
    return "it becomes mandatory, and objects may have none"
  }
}
