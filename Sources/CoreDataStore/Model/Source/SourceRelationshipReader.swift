internal import Formats

/// Reads one `<relationship>` of a model's XML.
enum SourceRelationshipReader {
  /// The relationship; counts that are absent are 0, as in Apple's own hashes.
  static func read(_ element: XMLTree.Element) throws -> Relationship {
    var relationship = Relationship(
      name: try element.needed("name"), destination: element["destinationEntity"] ?? "")
    relationship.inverseName = element.filled("inverseName")
    relationship.inverseEntity = element.filled("inverseEntity")
    relationship.minCount = try element.integer("minCount") ?? 0
    relationship.maxCount = try element.integer("maxCount") ?? 0
    relationship.isOrdered = element.isYes("ordered")
    relationship.deleteRule = try deleteRule(element)
    relationship.isOptional = element.isYes("optional")
    relationship.isTransient = element.isYes("transient")
    relationship.isIndexed = element.isYes("indexed")
    relationship.hashModifier = element.filled("versionHashModifier")
    relationship.renamingIdentifier = element.renamingIdentifier
    relationship.userInfo = element.userInfo
    return relationship
  }

  private static func deleteRule(_ element: XMLTree.Element) throws -> DeleteRule {
    guard let name = element.filled("deletionRule") else { return .noAction }
    guard let rule = DeleteRule(name: name) else {
      throw element.problem("The delete rule \"\(name)\" is not known.")
    }
    return rule
  }
}
