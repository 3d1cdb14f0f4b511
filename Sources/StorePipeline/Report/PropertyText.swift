package import CoreDataStore

/// Properties of a model in words, as all reports write them.
package enum PropertyText {
  /// What a property holds: `String`, `to-many Note`.
  package static func type(of property: any Property) -> String {
    switch property {
    case let attribute as Attribute: type(of: attribute)
    case let relationship as Relationship:
      "\(relationship.isToMany ? "to-many" : "to-one") \(relationship.destination)"
    case let fetched as FetchedProperty:
      "fetched \(fetched.request?.entity ?? "objects")"
    default: "property"
    }
  }

  private static func type(of attribute: Attribute) -> String {
    guard attribute.type == .composite, let name = attribute.compositeName else {
      return attribute.type.name
    }
    return "\(attribute.type.name) \(name)"
  }

  /// What else matters about a property, the most important first.
  package static func traits(of property: any Property) -> [String] {
    switch property {
    case let attribute as Attribute: traits(of: attribute)
    case let relationship as Relationship: traits(of: relationship)
    default: []
    }
  }

  /// Type and traits in one phrase: `Boolean, default NO`.
  package static func summary(of property: any Property) -> String {
    ([type(of: property)] + traits(of: property)).joined(separator: ", ")
  }

  private static func traits(of attribute: Attribute) -> [String] {
    let traits: [String?] = [
      attribute.isOptional ? "optional" : nil,
      attribute.isTransient ? "transient" : nil,
      attribute.derivation.map { "derived \($0.expression)" },
      attribute.defaultValue.map { "default \(text(of: $0))" },
      attribute.usesExternalStorage ? "external storage" : nil,
      attribute.isPreservedAfterDeletion ? "preserved after deletion" : nil,
      attribute.transformerName.map { "transformer \($0)" },
      attribute.renamingIdentifier.map { "was \($0)" },
    ]
    return traits.compactMap(\.self) + attribute.validation.map(\.description)
  }

  /// Texts stand between quotes, so that an empty one is seen.
  private static func text(of constant: ModelConstant) -> String {
    if case .string = constant { return constant.predicateText }
    return constant.text ?? constant.predicateText
  }

  private static func traits(of relationship: Relationship) -> [String] {
    let traits: [String?] = [
      relationship.isOptional ? "optional" : nil,
      relationship.isTransient ? "transient" : nil,
      relationship.isOrdered ? "ordered" : nil,
      relationship.minCount > 1 ? "at least \(relationship.minCount)" : nil,
      relationship.maxCount > 1 ? "at most \(relationship.maxCount)" : nil,
      relationship.inverseName.map { "inverse \($0)" } ?? "no inverse",
      relationship.deleteRule == .nullify ? nil : "delete rule \(relationship.deleteRule.name)",
      relationship.renamingIdentifier.map { "was \($0)" },
    ]
    return traits.compactMap(\.self)
  }

  /// The properties an entity declares: attributes, relationships, fetched properties.
  package static func declared(by entity: Entity) -> [any Property] {
    entity.attributes as [any Property] + entity.relationships + entity.fetchedProperties
  }

  /// How many there are of each kind: `3 attributes, 1 relationship`.
  package static func count(of properties: [any Property]) -> String {
    let attributes = properties.count { $0 is Attribute }
    let relationships = properties.count { $0 is Relationship }
    let counts = [
      (attributes, "attribute"), (relationships, "relationship"),
      (properties.count - attributes - relationships, "fetched property"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { Plural.text($0.0, $0.1) }
    return words.isEmpty ? "no properties" : words.joined(separator: ", ")
  }
}
