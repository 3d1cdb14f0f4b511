internal import CoreDataStore

/// A relationship of the source with its inverse, in the direction of one of the target.
struct SourceLink: Hashable {
  /// A relationship and the entity that declares it.
  struct End: Hashable {
    let reference: PropertyReference
    let relationship: Relationship

    init(_ relationship: Relationship, declaredBy entity: Entity) {
      self.relationship = relationship
      reference = PropertyReference(entity.name, relationship.name)
    }

    /// The stored relationship of this name that an entity has; nil for a transient one.
    init?(_ name: String, of entity: Entity, in model: Model) {
      guard let found = model.relationship(named: name, of: entity),
        !found.relationship.isTransient
      else { return nil }
      self.init(found.relationship, declaredBy: found.declaredBy)
    }

    /// The inverse; the same end where a relationship is its own.
    func inverse(in model: Model) -> End? {
      guard let found = model.inverse(of: relationship), !found.relationship.isTransient else {
        return nil
      }
      return End(found.relationship, declaredBy: found.declaredBy)
    }
  }

  /// From the objects that the target's relationship starts at; one of the two is there.
  let forward: End?
  let backward: End?

  /// How the link is stored, seen from the start of ``forward``.
  var storage: LinkStorage? {
    if let forward {
      return LinkStorage(
        isToMany: forward.relationship.isToMany, inverseIsToMany: backward?.relationship.isToMany)
    }
    return backward.map {
      // Seen from its other end.
      $0.relationship.isToMany ? .ownColumn : .farColumn
    }
  }

  /// The names that belong to it.
  var references: [PropertyReference] { [forward, backward].compactMap { $0?.reference } }
}
