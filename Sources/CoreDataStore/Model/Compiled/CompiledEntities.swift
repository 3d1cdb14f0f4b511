/// The entities of a compiled model, each with the properties it declares itself.
struct CompiledEntities {
  private let objects: [CompiledObject]
  private let budget: UnfoldBudget

  init(_ objects: [CompiledObject], budget: UnfoldBudget) {
    self.objects = objects
    self.budget = budget
  }

  /// All entities, inherited properties taken out.
  func read() throws -> [Entity] {
    var entities: [String: Entity] = [:]
    for object in objects {
      let entity = try read(object)
      guard entities.updateValue(entity, forKey: entity.name) == nil else {
        throw Failure(readingModel: "entity \(entity.name)", why: "Two entities have this name.")
      }
    }
    return entities.values.map { withoutInherited($0, entities) }
  }

  private func read(_ object: CompiledObject) throws -> Entity {
    guard let name = object["NSEntityName"]?.string else {
      throw Failure(readingModel: "", why: "An entity has no name.")
    }
    var entity = Entity(name: name, parent: object["NSSuperentity"]?["NSEntityName"]?.string)
    entity.isAbstract = object.flag("NSIsAbstract")
    entity.className = object["NSClassNameForEntity"]?.string
    entity.renamingIdentifier = object.renamingIdentifier(of: name)
    entity.hashModifier = object.filled("NSVersionHashModifier")
    entity.userInfo = object.userInfo
    entity.uniquenessConstraints = lists(object["NSUniqueTuples"])
    let indexes = object["NSFetchIndexDescriptions"]
    entity.fetchIndexes = (indexes?.elements ?? indexes?.entries?.map(\.value) ?? [])
      .compactMap(CompiledIndexReader.read)
    entity.compoundIndexes = compoundIndexes(object, entity.fetchIndexes)
    try readProperties(object, into: &entity)
    return entity
  }

  /// The compiler writes a fetch index over properties a second time, in the older form.
  private func compoundIndexes(
    _ object: CompiledObject, _ indexes: [FetchIndex]
  ) -> [[String]] {
    let newer = Set(indexes.map { $0.elements.map(\.propertyName) })
    return lists(object["NSCompoundIndexes"]).filter { !newer.contains($0.map(Optional.some)) }
  }

  /// Lists of names; an element may be a property's name or the property.
  private func lists(_ object: CompiledObject?) -> [[String]] {
    (object?.elements ?? []).map { list in
      (list.elements ?? []).compactMap { $0.string ?? $0["NSPropertyName"]?.string }
    }
  }

  private func readProperties(_ object: CompiledObject, into entity: inout Entity) throws {
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    var fetched: [FetchedProperty] = []
    for (key, property) in object["NSProperties"]?.entries ?? []
    where isOwn(property, of: object) {
      guard let name = property["NSPropertyName"]?.string ?? key.string else {
        throw Failure(readingModel: "entity \(entity.name)", why: "A property has no name.")
      }
      if property.isKind(of: "NSRelationshipDescription") {
        relationships.append(CompiledPropertyReader.relationship(property, name: name))
      } else if property.isKind(of: "NSFetchedPropertyDescription") {
        fetched.append(CompiledPropertyReader.fetchedProperty(property, name: name))
      } else if property.isKind(of: "NSAttributeDescription") {
        attributes.append(try CompiledAttributeReader.read(property, name: name))
      }
    }
    entity.declare(attributes)
    entity.relationships = relationships
    entity.fetchedProperties = fetched
    let implied = entity.impliedIndexes
    entity.fetchIndexes.removeAll(where: implied.contains)
  }

  /// A cache holds inherited properties too: as proxies, or as objects of another entity.
  private func isOwn(_ property: CompiledObject, of entity: CompiledObject) -> Bool {
    guard !property.isNull, property.className != "_NSPropertyDescriptionProxy" else {
      return false
    }
    guard let owner = property["NSEntity"] else { return true }
    return owner.index == entity.index
      || owner["NSEntityName"]?.string == entity["NSEntityName"]?.string
  }

  /// Takes out what an ancestor declares in the same words.
  private func withoutInherited(_ entity: Entity, _ entities: [String: Entity]) -> Entity {
    var own = entity
    var next = entity.parent
    var steps = 0
    while let name = next, let ancestor = entities[name], steps < ModelCheck.deepest,
      budget.spend(parts: own.attributes.count + own.relationships.count)
    {
      own.attributes.removeAll { ancestor.attribute(named: $0.name) == $0 }
      own.composites.removeAll { ancestor.composites.contains($0) }
      own.relationships.removeAll { ancestor.relationship(named: $0.name) == $0 }
      own.fetchedProperties.removeAll { ancestor.fetchedProperties.sortedFind($0.name) == $0 }
      next = ancestor.parent
      steps += 1
    }
    return own
  }
}

/// Reads a fetch index of a compiled model.
enum CompiledIndexReader {
  /// The index; nil when it has no name.
  static func read(_ object: CompiledObject) -> FetchIndex? {
    guard let name = object["NSIndexName"]?.string else { return nil }
    return FetchIndex(
      name: name, elements: (object["NSIndexElements"]?.elements ?? []).compactMap(element),
      predicate: object["NSPartialIndexPredicate"].map(PredicateArchive.predicate))
  }

  private static func element(_ object: CompiledObject) -> FetchIndexElement? {
    guard let subject = subject(object) else { return nil }
    return FetchIndexElement(
      subject: subject, kind: object.count("NSFetchIndexElementType") == 1 ? .rTree : .binary,
      isAscending: object["NSAscending"]?.bool ?? true)
  }

  /// A computed element names a made-up property that carries the expression.
  private static func subject(_ object: CompiledObject) -> FetchIndexElement.Subject? {
    if let expression = object["NSIndexedProperty"]?["NSExpression"] {
      return .expression(PredicateArchive.expression(expression))
    }
    return object.filled("NSPropertyName").map(FetchIndexElement.Subject.property)
  }
}
