// What CloudKit asks of a model whose store is mirrored, and of the next version of one.
//
// Apple, *Creating a Core Data model for CloudKit*: attributes are optional or have a default,
// relationships are optional and have an inverse; there are no ordered relationships, no
// uniqueness constraints, no Deny rule. A schema that was deployed to production can only grow.

/// An entity or a property, what CloudKit does not support in it, as a sentence without a full
/// stop, and the name of the rule that says so.
package typealias CloudKitObjection = (rule: String, subject: String, why: String)

extension Model {
  /// What keeps a store of this model from being mirrored.
  package var cloudKitObjections: [CloudKitObjection] {
    entities.flatMap(\.cloudKitObjections)
  }
}

extension Entity {
  fileprivate var cloudKitObjections: [CloudKitObjection] {
    let constraints: [CloudKitObjection] =
      uniquenessConstraints.isEmpty
      ? [] : [("cloudkit-unique", name, "CloudKit does not support uniqueness constraints")]
    let properties =
      attributes.map { ($0.name, $0.cloudKitObjections) }
      + relationships.map { ($0.name, $0.cloudKitObjections) }
    return constraints
      + properties.flatMap { property, found in
        found.map { ($0.rule, "\(name).\(property)", $0.why) }
      }
  }
}

extension Attribute {
  fileprivate var cloudKitObjections: [(rule: String, why: String)] {
    guard !isTransient, !isOptional, defaultValue == nil else { return [] }
    let why = "it is mandatory and has no default: another device may send an object without it"
    return [("cloudkit-default", why)]
  }
}

extension Relationship {
  fileprivate var cloudKitObjections: [(rule: String, why: String)] {
    guard !isTransient else { return [] }
    let mandatory = "it is mandatory: another device may send the objects one by one"
    return [
      isOptional ? nil : ("cloudkit-mandatory", mandatory),
      inverseName == nil ? ("cloudkit-inverse", "it has no inverse") : nil,
      isOrdered ? ("cloudkit-ordered", "CloudKit does not keep the order") : nil,
      deleteRule == .deny
        ? ("cloudkit-deny", "CloudKit does not support the delete rule Deny") : nil,
    ].compactMap(\.self)
  }
}

extension ModelDifference {
  /// The changes that a schema in production does not allow.
  package var cloudKitObjections: [CloudKitObjection] {
    entities.flatMap { entity -> [CloudKitObjection] in
      let properties: [CloudKitObjection] = entity.properties.compactMap { property in
        property.cloudKitObjection.map { ($0.rule, "\(entity.name).\(property.name)", $0.why) }
      }
      return switch entity.change {
      case .added: []
      case .removed: [("cloudkit-type-removed", entity.name, "a record type cannot be removed")]
      case .renamed:
        [("cloudkit-type-renamed", entity.name, "a record type cannot be renamed")] + properties
      case .changed, .same: properties
      }
    }
  }
}

extension PropertyDifference {
  fileprivate var cloudKitObjection: (rule: String, why: String)? {
    switch change {
    case .added, .same: nil
    case .removed:
      ("cloudkit-field-removed", "a field cannot be removed: older devices still write it")
    case .renamed: ("cloudkit-field-renamed", "a field cannot be renamed")
    case .changed:
      aspects.contains { ["type", "leads to", "destination"].contains($0.name) }
        ? ("cloudkit-field-retyped", "the type of a field cannot change") : nil
    }
  }
}
