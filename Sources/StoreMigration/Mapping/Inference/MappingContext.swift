internal import CoreDataStore

/// What every part of the inference needs to know.
struct MappingContext {
  let source: Model
  let target: Model
  let instructions: MappingInstructions
  let entities: EntityPairing
  private let hashes: (source: [String: VersionHash], target: [String: VersionHash])
  private let index: InstructionIndex
  private let losses: NamedInstructions

  init(from source: Model, to target: Model, _ instructions: MappingInstructions) {
    (self.source, self.target, self.instructions) = (source, target, instructions)
    entities = EntityPairing(from: source, to: target, instructions)
    hashes = (VersionHashes(of: source).entities, VersionHashes(of: target).entities)
    index = InstructionIndex(instructions, source, entities)
    losses = NamedInstructions(instructions.acceptedLosses)
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
    entities.sources(named: name, in: source)
  }

  /// The entity and the property of a name, "Link.url"; nil when there is no point in it.
  static func parts(of name: String) -> (entity: String, property: String)? {
    guard let point = name.firstIndex(of: ".") else { return nil }
    return (String(name[..<point]), String(name[name.index(after: point)...]))
  }

  /// Whether the file drops a property of an entity's objects.
  func drops(_ property: String, of entity: Entity) -> Bool {
    index.drops(property, of: source.lineage(of: entity))
  }

  /// Whether the loss of a property of an entity's objects is accepted.
  func accepts(lossOf property: String, of entity: Entity) -> Bool {
    let names = source.lineage(of: entity).flatMap(names).map { "\($0).\(property)" }
    return losses.cover(names)
  }

  /// Whether the loss of an entity's objects is accepted: by its name, or with all properties.
  func accepts(lossOf entity: Entity) -> Bool {
    let names = names(of: entity).flatMap { [$0, "\($0)."] }
    return losses.first(matching: names) != nil
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
    index.filters(of: source.lineage(of: entity))
  }

  /// What scripts take upon themselves for an entity's objects.
  func claims(on entity: Entity) -> [ScriptClaim] {
    index.scripts[entity.name] ?? []
  }

  /// The renames that name an entity or what it inherits from.
  func renames(of entity: Entity) -> [EntityRename] {
    index.renames(of: source.lineage(of: entity))
  }

  /// The maps into an entity of the target.
  func maps(into entity: Entity) -> [EntityMap] { index.maps[entity.name] ?? [] }

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

/// What a pipeline file says, by the entities that it says it of: a file may have a line for each
/// of a thousand.
private struct InstructionIndex {
  /// What scripts take upon themselves, by entity of the source.
  let scripts: [String: [ScriptClaim]]
  /// The maps, by entity of the target.
  let maps: [String: [EntityMap]]

  private let renames: Places<EntityRename>
  private let filters: Places<ObjectFilter>
  /// The properties that are dropped, by entity of the source.
  private var drops: [String: Set<String>] = [:]

  init(_ instructions: MappingInstructions, _ source: Model, _ entities: EntityPairing) {
    scripts = Dictionary(grouping: instructions.scripts, by: \.entity)
    maps = Dictionary(grouping: instructions.maps, by: \.entity)
    renames = Places(instructions.renames) { [$0.entity] }
    filters = Places(instructions.filters) {
      entities.sources(named: $0.entity, in: source).map(\.name)
    }
    for drop in instructions.drops {
      guard let parts = MappingContext.parts(of: drop.name) else { continue }
      for entity in entities.sources(named: parts.entity, in: source) {
        drops[entity.name, default: []].insert(parts.property)
      }
    }
  }

  /// Whether a property, or the composite that it is a part of, is dropped for some entities.
  func drops(_ property: String, of entities: [Entity]) -> Bool {
    guard !drops.isEmpty else { return false }
    let points = property.indices.filter { property[$0] == "." }
    let names = [property] + points.map { String(property[..<$0]) }
    return entities.contains { entity in
      drops[entity.name].map { !$0.isDisjoint(with: names) } ?? false
    }
  }

  /// The renames of these entities, in the order of the file.
  func renames(of entities: [Entity]) -> [EntityRename] { renames.of(entities) }

  /// The conditions on objects of these entities, in the order of the file.
  func filters(of entities: [Entity]) -> [ObjectFilter] { filters.of(entities) }

  /// Instructions by the entities that they name, in their order.
  private struct Places<Instruction> {
    private let all: [Instruction]
    private var places: [String: [Int]] = [:]

    init(_ all: [Instruction], _ names: (Instruction) -> [String]) {
      self.all = all
      for (place, instruction) in all.enumerated() {
        for name in names(instruction) { places[name, default: []].append(place) }
      }
    }

    func of(_ entities: [Entity]) -> [Instruction] {
      Set(entities.flatMap { places[$0.name] ?? [] }).sorted().map { all[$0] }
    }
  }
}
