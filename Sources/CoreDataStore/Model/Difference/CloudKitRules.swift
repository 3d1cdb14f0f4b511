// What CloudKit asks of a model whose store is mirrored, and of the next version of one.
//
// Apple, *Creating a Core Data model for CloudKit*: attributes are optional or have a default,
// relationships are optional and have an inverse; there are no ordered relationships, no
// uniqueness constraints, no Deny rule. A schema that was deployed to production can only grow.

/// An entity or a property, and what CloudKit does not support in it, as a sentence without a full
/// stop.
package typealias CloudKitObjection = (subject: String, why: String)

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
      ? [] : [(name, "CloudKit does not support uniqueness constraints")]
    let properties =
      attributes.map { ($0.name, $0.cloudKitObjections) }
      + relationships.map { ($0.name, $0.cloudKitObjections) }
    return constraints
      + properties.flatMap { property, found in found.map { ("\(name).\(property)", $0) } }
  }
}

extension Attribute {
  fileprivate var cloudKitObjections: [String] {
    isTransient || isOptional || defaultValue != nil
      ? [] : ["it is mandatory and has no default: another device may send an object without it"]
  }
}

extension Relationship {
  fileprivate var cloudKitObjections: [String] {
    guard !isTransient else { return [] }
    return [
      isOptional ? nil : "it is mandatory: another device may send the objects one by one",
      inverseName == nil ? "it has no inverse" : nil,
      isOrdered ? "CloudKit does not keep the order" : nil,
      deleteRule == .deny ? "CloudKit does not support the delete rule Deny" : nil,
    ].compactMap(\.self)
  }
}

extension ModelDifference {
  /// The changes that a schema in production does not allow.
  package var cloudKitObjections: [CloudKitObjection] {
    entities.flatMap { entity -> [CloudKitObjection] in
      let properties = entity.properties.compactMap { property in
        property.cloudKitObjection.map { ("\(entity.name).\(property.name)", $0) }
      }
      return switch entity.change {
      case .added: []
      case .removed: [(entity.name, "a record type cannot be removed")]
      case .renamed: [(entity.name, "a record type cannot be renamed")] + properties
      case .changed, .same: properties
      }
    }
  }
}

extension PropertyDifference {
  fileprivate var cloudKitObjection: String? {
    switch change {
    case .added, .same: nil
    case .removed: "a field cannot be removed: older devices still write it"
    case .renamed: "a field cannot be renamed"
    case .changed:
      aspects.contains { ["type", "leads to", "destination"].contains($0.name) }
        ? "the type of a field cannot change" : nil
    }
  }
}
