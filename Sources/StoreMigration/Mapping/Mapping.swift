package import CoreDataStore

/// Which entity and property of one model version becomes which of another, and by which rule.
///
/// It is inferred by the rules of Core Data's lightweight migration, with what the pipeline file
/// says going first. Nothing of a store is read. What neither answers is a ``MappingProblem``, and
/// all of them are reported at once: a mapping with problems is to be shown, not carried out.
package struct Mapping: Sendable, Hashable {
  /// The source version's name.
  package let source: String
  /// The target version's name.
  package let target: String
  /// How objects travel, by target and source entity.
  package let objects: [ObjectMapping]
  /// How links travel, by the target's relationship.
  package let links: [LinkMapping]
  /// The target's entities that no entity of the source becomes, by name.
  package let added: [String]
  /// What happens to every entity of the source, by name.
  package let entities: [EntityFate]
  /// What has no answer.
  package let problems: [MappingProblem]
  private let index: Index

  /// Where to find what is asked for by name: a model may have a thousand entities.
  private struct Index: Sendable, Hashable {
    let objectsFrom: [String: Int]
    let objectsInto: [String: [Int]]
    let entities: [String: Int]
    let links: [PropertyReference: [Int]]
    let ends: [PropertyReference: PropertyReference]

    init(_ objects: [ObjectMapping], _ links: [LinkMapping], _ entities: [EntityFate]) {
      let places = objects.indices
      objectsFrom = Dictionary(places.map { (objects[$0].source, $0) }) { first, _ in first }
      objectsInto = Dictionary(grouping: places) { objects[$0].target }
      self.entities = Dictionary(entities.indices.map { (entities[$0].entity, $0) }) { first, _ in
        first
      }
      var found: [PropertyReference: [Int]] = [:]
      for (place, link) in links.enumerated() {
        for end in Set([link.forward.target, link.backward.target].compactMap { $0 }) {
          found[end, default: []].append(place)
        }
      }
      self.links = found
      let pairs = links.flatMap { [$0.forward, $0.backward] }.compactMap { direction in
        direction.source.flatMap { source in direction.target.map { (source, $0) } }
      }
      ends = Dictionary(pairs) { first, _ in first }
    }
  }

  /// Maps one version to another.
  ///
  /// - Parameters:
  ///   - source: The version that a store has.
  ///   - target: The version that it shall have.
  ///   - instructions: What the pipeline file says.
  ///   - others: Further versions that the same instructions serve; what they have may be named.
  package init(
    from source: Model, to target: Model,
    instructions: MappingInstructions = MappingInstructions(), others: [Model] = []
  ) {
    let context = MappingContext(from: source, to: target, instructions)
    let inference = MappingInference(context)
    self.source = source.name
    self.target = target.name
    objects = inference.objects
    links = inference.links
    added = target.entities.map(\.name).filter { context.entities.sources[$0] == nil }
    entities = inference.entities
    index = Index(objects, links, entities)
    problems = UndecidedNames(context).deciding(
      Self.once(
        context.entities.problems + InstructionCheck(context, others: others).problems
          + inference.problems), objects)
  }

  /// The problems, each once, in their order.
  private static func once(_ problems: [MappingProblem]) -> [MappingProblem] {
    var seen: Set<MappingProblem> = []
    return problems.filter { seen.insert($0).inserted }
  }

  /// The mappings whose objects go to a target entity; several where entities are merged.
  package func objects(into target: String) -> [ObjectMapping] {
    (index.objectsInto[target] ?? []).map { objects[$0] }
  }

  /// The mapping of a source entity's objects.
  package func objects(from source: String) -> ObjectMapping? {
    index.objectsFrom[source].map { objects[$0] }
  }

  /// The links of a target's relationship, by either of its ends.
  package func links(of relationship: PropertyReference) -> [LinkMapping] {
    (index.links[relationship] ?? []).map { links[$0] }
  }

  /// The relationship of the target that one of the source's became, in the same direction.
  package func relationship(from source: PropertyReference) -> PropertyReference? {
    index.ends[source]
  }

  /// The source's relationships of whose links only one of several can stay, where the pipeline
  /// does not say which: those for which a problem of this subject speaks.
  package func undecided(_ subject: String) -> [PropertyReference] {
    links.flatMap { link in
      [(link.forward, link.backward), (link.backward, link.forward)].compactMap { own, other in
        guard own.narrows, own.keep == nil,
          (own.source ?? own.target ?? other.target)?.description == subject
        else { return nil }
        return own.source ?? other.source
      }
    }
  }

  /// What happens to an entity of the source.
  package func fate(of entity: String) -> MappingFate? {
    index.entities[entity].map { entities[$0].fate }
  }

  /// The conditions that an object of a source entity must meet, all of them.
  package func conditions(on entity: String) -> [String] {
    index.entities[entity].map { entities[$0].conditions } ?? []
  }

  /// Whether scripts make objects, or some of their values.
  package var hasScripts: Bool {
    objects.contains(where: \.isScripted) || entities.contains { $0.fate == .scripted }
  }

  /// Whether the keys of objects need not say what they came of.
  var givesKeys: Bool { hasScripts || objects.contains { $0.keys == .renumbered } }

  /// Whether Core Data's rules and the instructions answer everything but losses.
  package var isInferable: Bool { !problems.contains { $0.kind != .loss } }
}
