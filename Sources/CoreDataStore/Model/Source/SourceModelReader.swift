internal import Formats

/// Reads the XML of an `.xcdatamodel`, its file `contents`.
package enum SourceModelReader {
  /// The model that the XML describes.
  ///
  /// - Throws: ``Failure`` with the line or the entity.
  package static func read(
    _ bytes: [UInt8], name: String, recordedHashes: [String: VersionHash] = [:]
  ) throws -> Model {
    let root = try tree(bytes)
    guard root.name == "model" else {
      throw Failure(
        readingModel: "line \(root.line)",
        why: "It holds <\(root.name)> where <model> was expected: it is not a data model.")
    }
    let composites = SourceComposites(root.children("composite"))
    return try Model(
      name: name, entities: root.children("entity").map { try entity($0, composites) },
      versionIdentifiers: [root["userDefinedModelVersionIdentifier"]].compactMap(\.self),
      configurations: try configurations(root),
      fetchRequests: try root.children("fetchRequest").map(fetchRequest),
      recordedHashes: recordedHashes)
  }

  private static func tree(_ bytes: [UInt8]) throws -> XMLTree.Element {
    do {
      return try XMLTree(bytes).root
    } catch {
      throw Failure(readingModel: "", why: "It cannot be read as a data model: \(error).")
    }
  }

  private static func entity(
    _ element: XMLTree.Element, _ composites: SourceComposites
  ) throws -> Entity {
    var entity = Entity(name: try element.needed("name"), parent: element["parentEntity"])
    entity.isAbstract = element.isYes("isAbstract")
    entity.className = element["representedClassName"]
    entity.renamingIdentifier = element.renamingIdentifier
    entity.hashModifier = element.filled("versionHashModifier")
    entity.userInfo = element.userInfo
    entity.declare(
      try element.children("attribute").map {
        try SourceAttributeReader.read($0, composites: composites, of: entity.name)
      })
    entity.relationships = try element.children("relationship").map(
      SourceRelationshipReader.read)
    entity.fetchedProperties = try element.children("fetchedProperty").map(fetchedProperty)
    entity.uniquenessConstraints = lists(
      element, "uniquenessConstraints", "uniquenessConstraint", "constraint")
    entity.compoundIndexes = lists(element, "compoundIndexes", "compoundIndex", "index")
    entity.fetchIndexes = try element.children("fetchIndex").map(SourceIndexReader.read)
    markIndexed(&entity)
    return entity
  }

  /// Does what Xcode's compiler does: an attribute with a fetch index over it alone is indexed.
  private static func markIndexed(_ entity: inout Entity) {
    let alone = Set(
      entity.fetchIndexes.filter { $0.elements.count == 1 }
        .compactMap { $0.elements[0].propertyName })
    entity.attributes = entity.attributes.map { attribute in
      var attribute = attribute
      attribute.isIndexed = attribute.isIndexed || alone.contains(attribute.name)
      return attribute
    }
  }

  /// Lists of names: `<outer><inner><item value="name"/></inner></outer>`.
  private static func lists(
    _ element: XMLTree.Element, _ outer: String, _ inner: String, _ item: String
  ) -> [[String]] {
    element.children(outer).flatMap { $0.children(inner) }.map { list in
      list.children(item).compactMap { $0["value"] }
    }
  }

  private static func fetchedProperty(_ element: XMLTree.Element) throws -> FetchedProperty {
    var property = FetchedProperty(name: try element.needed("name"))
    property.isOptional = element.isYes("optional")
    property.hashModifier = element.filled("versionHashModifier")
    property.renamingIdentifier = element.renamingIdentifier
    property.userInfo = element.userInfo
    property.request = try element.children("fetchRequest").first.map(fetchRequest)
    return property
  }

  private static func fetchRequest(_ element: XMLTree.Element) throws -> FetchRequest {
    FetchRequest(
      name: try element.needed("name"), entity: element.filled("entity"),
      predicate: element.filled("predicateString").map(PredicateParser.predicate))
  }

  private static func configurations(_ root: XMLTree.Element) throws -> [String: [String]] {
    var configurations: [String: [String]] = [:]
    for element in root.children("configuration") {
      configurations[try element.needed("name")] =
        try element.children("memberEntity").map { try $0.needed("name") }
    }
    return configurations
  }
}

/// Reads one `<fetchIndex>` of a model's XML.
enum SourceIndexReader {
  /// The index with its elements and its predicate.
  static func read(_ element: XMLTree.Element) throws -> FetchIndex {
    FetchIndex(
      name: try element.needed("name"),
      elements: try element.children("fetchIndexElement").map(part),
      predicate: element.filled("partialIndexPredicate").map(PredicateParser.predicate))
  }

  private static func part(_ element: XMLTree.Element) throws -> FetchIndexElement {
    FetchIndexElement(
      subject: try subject(element), kind: element["type"] == "RTree" ? .rTree : .binary,
      isAscending: element["order"] != "descending")
  }

  private static func subject(_ element: XMLTree.Element) throws -> FetchIndexElement.Subject {
    if let name = element.filled("property") { return .property(name) }
    guard let text = element.filled("expression") else {
      throw element.problem("It names neither a property nor an expression.")
    }
    return .expression(PredicateParser.expression(text))
  }
}

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
