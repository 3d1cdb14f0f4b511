internal import CoreDataStore

/// Puts a mapping together.
struct MappingInference {
  /// How objects travel, by target and source entity.
  private(set) var objects: [ObjectMapping] = []
  /// How links travel.
  let links: [LinkMapping]
  /// What happens to every entity of the source.
  let entities: [EntityFate]
  /// What has no answer: entities first, then properties, then links.
  let problems: [MappingProblem]

  init(_ context: MappingContext) {
    let pairs = Self.pairs(context)
    let merge = RootMerge(context)
    let fates = EntityFates(context)
    let linkage = LinkInference(pairs, in: context)
    var parts: [Parts] = []
    let uses = LinkUses(linkage.links, in: context.target)
    let byTarget = Dictionary(grouping: pairs, by: \.to.name)
    for pair in pairs { parts.append(Parts(pair, byTarget, uses, in: context)) }
    links = linkage.links
    entities = fates.fates
    problems =
      merge.problems + fates.problems + parts.flatMap(\.problems)
      + FoundProblems(context).reported(parts.flatMap(\.found)) + linkage.problems
    objects = parts.map { $0.mapping(merge, context) }
    let tables = TableComparison(from: context.source, to: context.target, objects, links)
    guard let same = tables?.entities else { return }
    for place in objects.indices {
      objects[place].tableIsSame = same.contains(objects[place].source)
    }
  }

  private static func pairs(_ context: MappingContext) -> [PropertyPairing] {
    context.target.entities.flatMap { target in
      context.entities.sources[target.name, default: []].compactMap(context.source.entity(named:))
        // An abstract entity has no objects: those that there are have no place.
        .filter { $0.isAbstract || !target.isAbstract }
        .map { PropertyPairing(from: $0, to: target, in: context) }
    }
  }
}

/// What is found out about one pair of entities.
private struct Parts {
  let pair: PropertyPairing
  let found: [FoundProblem]
  let problems: [MappingProblem]

  private let attributes: [AttributeMapping]
  private let fates: [PropertyFate]

  init(
    _ pair: PropertyPairing, _ pairs: [String: [PropertyPairing]], _ links: LinkUses,
    in context: MappingContext
  ) {
    let inference = AttributeInference(pair, in: context)
    let fates = FateInference(pair, inference.attributes, links, in: context)
    self.pair = pair
    attributes = inference.attributes
    self.fates = fates.fates
    found = inference.found + RelationshipObstacles(pair, pairs, in: context).found + fates.found
    problems = inference.problems
  }

  func mapping(_ merge: RootMerge, _ context: MappingContext) -> ObjectMapping {
    let name = pair.from.name
    let claims = context.claims(on: pair.from)
    var mapping = ObjectMapping(
      source: name, target: pair.to.name, rule: context.entities.rule(of: name),
      isAbstract: pair.from.isAbstract, keys: merge.renumbered.contains(name) ? .renumbered : .kept,
      conditions: context.filters(of: pair.from).map(\.condition),
      isScripted: !claims.isEmpty, attributes: attributes, properties: fates)
    mapping.script = claims.first?.path
    return mapping
  }
}

/// Finds where objects of several tables come together in one, so that their keys collide.
struct RootMerge {
  /// The source entities whose objects need new keys.
  private(set) var renumbered: Set<String> = []
  /// The merges that the pipeline did not ask for.
  private(set) var problems: [MappingProblem] = []

  init(_ context: MappingContext) {
    for root in context.target.roots {
      let entities = context.target.descendants(of: root)
        .flatMap { context.entities.sources[$0.name, default: []] }
        .compactMap(context.source.entity(named:))
      let families = Dictionary(grouping: entities) { context.source.root(of: $0).name }
      guard families.count > 1 else { continue }
      merge(families, into: root.name, context.entities)
    }
  }

  /// One family keeps its keys: one that inference brought, or the root's own, or the first.
  private mutating func merge(
    _ families: [String: [Entity]], into root: String, _ pairing: EntityPairing
  ) {
    let names = families.keys.sorted()
    let inferred = names.filter { name in
      families[name, default: []].contains { !pairing.mapped.contains($0.name) }
    }
    let candidates = inferred.isEmpty ? names : inferred
    let keeper = candidates.first { pairing.targets[$0] == root } ?? candidates.first
    for name in names where name != keeper {
      renumbered.formUnion(families[name, default: []].map(\.name))
    }
    guard inferred.count > 1 else { return }
    let missing = inferred.filter { $0 != keeper }.flatMap { families[$0, default: []] }
      .filter { !pairing.mapped.contains($0.name) }.map(\.name).sorted()
    problems.append(
      MappingProblem(
        .notInferable, root,
        why: "\(InferenceRules.merging(names, into: root)). Where the file says so it is done, and "
          + "the objects get new keys.",
        snippet: missing.map { SnippetText.map(pairing.targets[$0] ?? root, from: $0) }
          .joined(separator: ", ")))
  }
}

/// Finds what happens to each entity of the source.
struct EntityFates {
  private(set) var fates: [EntityFate] = []
  /// Objects that would be lost although the pipeline does not give them up.
  private(set) var problems: [MappingProblem] = []

  init(_ context: MappingContext) {
    for entity in context.source.entities {
      fates.append(
        EntityFate(
          entity: entity.name, fate: Self.fate(of: entity, context),
          conditions: context.filters(of: entity).map(\.condition)))
      check(entity, fates.last?.fate, context)
    }
  }

  private static func fate(of entity: Entity, _ context: MappingContext) -> MappingFate {
    if context.claims(on: entity).contains(where: \.makesObjects) { return .scripted }
    if let target = context.entities.targets[entity.name] {
      let holdsObjects = context.target.entity(named: target)?.isAbstract == false
      guard entity.isAbstract || holdsObjects else {
        return .dropped(isDeclared: context.accepts(lossOf: entity))
      }
      return target == entity.name ? .kept : .moved(to: [target])
    }
    let isDeclared =
      entity.isAbstract || context.entities.dropped.contains(entity.name)
      || context.accepts(lossOf: entity)
    return .dropped(isDeclared: isDeclared)
  }

  private mutating func check(
    _ entity: Entity, _ fate: MappingFate?, _ context: MappingContext
  ) {
    guard fate == .dropped(isDeclared: false) else { return }
    let why: String
    var snippet = SnippetText.drop(entity.name)
    if let target = context.entities.targets[entity.name] {
      why =
        "The target's \(target) is abstract and has no objects: those of \(entity.name) would be "
        + "lost."
    } else if context.target.entity(named: entity.name) != nil {
      why =
        "Core Data takes the target's \(entity.name) for another entity, because its renaming "
        + "identifier is another one: the objects would be lost."
      snippet = SnippetText.rename(entity.name, to: entity.name) + ", or " + snippet
    } else {
      why = "The target has no entity of this name or identifier: its objects would be lost."
    }
    problems.append(MappingProblem(.loss, entity.name, why: why, snippet: snippet))
  }
}
