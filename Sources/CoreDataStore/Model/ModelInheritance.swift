// Questions about inheritance, and the properties that come with it.

extension Model {
  /// The entity and everything it inherits from, itself first, its root last.
  public func lineage(of entity: Entity) -> [Entity] {
    var lineage = [entity]
    var next = parent(of: entity)
    while let entity = next {
      lineage.append(entity)
      next = parent(of: entity)
    }
    return lineage
  }

  /// The ancestor without a parent; all entities below it share its table.
  public func root(of entity: Entity) -> Entity { lineage(of: entity).last ?? entity }

  /// The entity and everything that inherits from it: a parent, then each child with its own.
  public func descendants(of entity: Entity) -> [Entity] {
    var found: [Entity] = []
    var waiting = [entity]
    while let next = waiting.popLast() {
      found.append(next)
      waiting.append(contentsOf: children(of: next).reversed())
    }
    return found
  }

  /// All entities that share a table with this one: its root's descendants.
  public func family(of entity: Entity) -> [Entity] { descendants(of: root(of: entity)) }

  /// Whether an entity is another one or inherits from it.
  public func entity(_ entity: Entity, inheritsFrom ancestor: Entity) -> Bool {
    lineage(of: entity).contains { $0.name == ancestor.name }
  }

  /// The attributes of an entity, inherited ones included, by name.
  public func allAttributes(of entity: Entity) -> [Attribute] {
    inherited(\.attributes, of: entity)
  }

  /// The relationships of an entity, inherited ones included, by name.
  public func allRelationships(of entity: Entity) -> [Relationship] {
    inherited(\.relationships, of: entity)
  }

  /// The fetched properties of an entity, inherited ones included, by name.
  public func allFetchedProperties(of entity: Entity) -> [FetchedProperty] {
    inherited(\.fetchedProperties, of: entity)
  }

  private func inherited<P: Property>(_ declared: (Entity) -> [P], of entity: Entity) -> [P] {
    guard entity.parent != nil else { return declared(entity) }
    var found: [String: P] = [:]
    for ancestor in lineage(of: entity).reversed() {
      for property in declared(ancestor) { found[property.name] = property }
    }
    return found.values.sortedByName()
  }

  /// The attribute of this name, and the entity that declares it.
  public func attribute(
    named name: String, of entity: Entity
  ) -> (attribute: Attribute, declaredBy: Entity)? {
    var next: Entity? = entity
    while let ancestor = next {
      if let attribute = ancestor.attribute(named: name) { return (attribute, ancestor) }
      next = parent(of: ancestor)
    }
    return nil
  }

  /// The relationship of this name, and the entity that declares it.
  public func relationship(
    named name: String, of entity: Entity
  ) -> (relationship: Relationship, declaredBy: Entity)? {
    var next: Entity? = entity
    while let ancestor = next {
      if let relationship = ancestor.relationship(named: name) { return (relationship, ancestor) }
      next = parent(of: ancestor)
    }
    return nil
  }

  /// The inverse of a relationship, and the entity that declares it.
  public func inverse(
    of relationship: Relationship
  ) -> (relationship: Relationship, declaredBy: Entity)? {
    guard let name = relationship.inverseName,
      let entity = entity(named: relationship.inverseEntity ?? relationship.destination)
    else { return nil }
    return self.relationship(named: name, of: entity)
  }
}

extension Model {
  /// An attribute of an entity, inherited or its own.
  package func attribute(_ name: String, ofEntity entity: String) -> Attribute? {
    self.entity(named: entity).flatMap { attribute(named: name, of: $0)?.attribute }
  }

  /// A relationship of an entity, inherited or its own.
  package func relationship(_ name: String, ofEntity entity: String) -> Relationship? {
    self.entity(named: entity).flatMap { relationship(named: name, of: $0)?.relationship }
  }
}
