internal import CoreDataStore

/// What every part of the inference needs to know.
struct MappingContext {
  let source: Model
  let target: Model
  let instructions: MappingInstructions
  let entities: EntityPairing
  private let hashes: (source: [String: VersionHash], target: [String: VersionHash])

  init(from source: Model, to target: Model, _ instructions: MappingInstructions) {
    (self.source, self.target, self.instructions) = (source, target, instructions)
    entities = EntityPairing(from: source, to: target, instructions)
    hashes = (VersionHashes(of: source).entities, VersionHashes(of: target).entities)
  }

  /// Whether Core Data copies objects of an entity without a look at their properties.
  func areEqual(_ from: Entity, _ to: Entity) -> Bool {
    guard let hash = hashes.source[from.name], hash == hashes.target[to.name] else { return false }
    // No hash shows that a composite was renamed, but its parts are found by their paths.
    let parts = { (model: Model, entity: Entity) in
      model.allAttributes(of: entity).filter(\.isElement).map(\.name).sorted()
    }
    return parts(source, from) == parts(target, to)
  }

  /// The source entities that a name in the file means: one of the source, or what became one of
  /// the target.
  func sourceEntities(named name: String) -> [Entity] {
    if let entity = source.entity(named: name) { return [entity] }
    return entities.sources[name, default: []].compactMap(source.entity(named:))
  }

  /// Whether an entity is what a name in the file means, or inherits from it.
  func entity(_ entity: Entity, isMeantBy name: String) -> Bool {
    sourceEntities(named: name).contains { source.entity(entity, inheritsFrom: $0) }
  }

  /// The entity and the property of a name, "Link.url"; nil when there is no point in it.
  static func parts(of name: String) -> (entity: String, property: String)? {
    guard let point = name.firstIndex(of: ".") else { return nil }
    return (String(name[..<point]), String(name[name.index(after: point)...]))
  }

  /// Whether the file drops a property of an entity's objects.
  func drops(_ property: String, of entity: Entity) -> Bool {
    instructions.drops.contains { drop in
      guard let parts = Self.parts(of: drop.name),
        property == parts.property || property.hasPrefix("\(parts.property).")
      else { return false }
      return self.entity(entity, isMeantBy: parts.entity)
    }
  }

  /// Whether the loss of a property of an entity's objects is accepted.
  func accepts(lossOf property: String, of entity: Entity) -> Bool {
    let names = source.lineage(of: entity).flatMap(names).map { "\($0).\(property)" }
    return instructions.acceptedLosses.contains { names.contains(where: $0.covers) }
  }

  /// Whether the loss of an entity's objects is accepted: by its name, or with all properties.
  func accepts(lossOf entity: Entity) -> Bool {
    let names = names(of: entity).flatMap { [$0, "\($0)."] }
    return instructions.acceptedLosses.contains { names.contains(where: $0.matches) }
  }

  /// The names before and after.
  private func names(of entity: Entity) -> [String] {
    [entity.name, entities.targets[entity.name]].compactMap(\.self)
  }

  /// The choice of one of many that the file makes for a relationship, by its name before or after.
  func choice(_ old: PropertyReference?, _ new: PropertyReference?) -> LinkChoice? {
    instructions.choices.first { choice in
      guard let name = Self.parts(of: choice.relationship) else { return false }
      return Self.means(name, old, in: source) || Self.means(name, new, in: target)
    }
  }

  private static func means(
    _ name: (entity: String, property: String), _ reference: PropertyReference?, in model: Model
  ) -> Bool {
    guard let reference, reference.property == name.property,
      let entity = model.entity(named: name.entity),
      let owner = model.entity(named: reference.entity)
    else { return false }
    return model.entity(entity, inheritsFrom: owner)
  }

  /// The conditions that an entity's objects must meet.
  func filters(of entity: Entity) -> [ObjectFilter] {
    instructions.filters.filter { self.entity(entity, isMeantBy: $0.entity) }
  }

  /// What scripts take upon themselves for an entity's objects.
  func claims(on entity: Entity) -> [ScriptClaim] {
    instructions.scripts.filter { $0.entity == entity.name }
  }

  /// Whether a relationship leads to what its destination became, to something that this inherits
  /// from, or to some of the entities that inherited from its destination.
  ///
  /// Where nothing of the old destination is carried over there are no links to lead astray.
  func leadsOn(_ old: Relationship, to new: Relationship) -> Bool {
    guard let now = target.entity(named: new.destination),
      let before = source.entity(named: old.destination)
    else { return false }
    let found = source.descendants(of: before).compactMap {
      entities.targets[$0.name].flatMap(target.entity(named:))
    }
    guard !found.contains(where: { target.entity($0, inheritsFrom: now) }) else { return true }
    return !survives(old.destination)
  }

  /// Whether objects of an entity, or of those that inherit from it, are carried over.
  func survives(_ name: String) -> Bool {
    guard let entity = source.entity(named: name) else { return false }
    return source.descendants(of: entity).contains { descendant in
      !descendant.isAbstract
        && (entities.targets[descendant.name] != nil
          || claims(on: descendant).contains(where: \.makesObjects))
    }
  }
}

extension Attribute {
  /// Whether a store has a column for it.
  var isStored: Bool { !isTransient && type != .undefined }
}
