internal import CoreDataStore

/// Puts a mapping together.
struct MappingInference {
  /// How objects travel, by target and source entity.
  private(set) var objects: [ObjectMapping] = []
  /// How links travel.
  let links: [LinkMapping]
  /// What becomes of every entity of the source.
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
    for pair in pairs { parts.append(Parts(pair, uses, in: context)) }
    links = linkage.links
    entities = fates.fates
    problems =
      merge.problems + fates.problems + parts.flatMap(\.problems)
      + FoundProblems(context).told(parts.flatMap(\.found)) + linkage.problems
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

  init(_ pair: PropertyPairing, _ links: LinkUses, in context: MappingContext) {
    let inference = AttributeInference(pair, in: context)
    let fates = FateInference(pair, inference.attributes, links, in: context)
    self.pair = pair
    attributes = inference.attributes
    self.fates = fates.fates
    found = inference.found + RelationshipObstacles(pair, in: context).found + fates.found
    problems = inference.problems
  }

  func mapping(_ merge: RootMerge, _ context: MappingContext) -> ObjectMapping {
    let name = pair.from.name
    return ObjectMapping(
      source: name, target: pair.to.name, rule: context.entities.rule(of: name),
      isAbstract: pair.from.isAbstract, keys: merge.renumbered.contains(name) ? .renumbered : .kept,
      conditions: context.filters(of: pair.from).map(\.condition),
      isScripted: !context.claims(on: pair.from).isEmpty, attributes: attributes,
      properties: fates)
  }
}
