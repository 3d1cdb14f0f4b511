internal import CoreDataStore

/// Finds what Core Data refuses about the relationships of one target entity.
///
/// One of many is the concern of links, which know both ends; objects without a link that they need
/// are found by the preflight.
struct RelationshipObstacles {
  /// What could not be answered.
  private(set) var found: [FoundProblem] = []

  private let context: MappingContext
  private let pair: PropertyPairing
  /// The stage with the entity's script.
  private let script: String

  init(_ pair: PropertyPairing, _ pairs: [String: [PropertyPairing]], in context: MappingContext) {
    (self.context, self.pair) = (context, pair)
    let claims = context.claims(on: pair.from)
    script = SnippetText.script(pair.from.name, at: claims.first?.path)
    guard !claims.contains(where: \.makesObjects) else { return }
    for relationship in context.target.allRelationships(of: pair.to)
    where !relationship.isTransient
      && !claims.contains(where: { $0.attributes.contains(relationship.name) })
    {
      check(relationship, pairs)
    }
  }

  private mutating func check(
    _ relationship: Relationship, _ pairs: [String: [PropertyPairing]]
  ) {
    let name = "\(pair.from.name).\(pair.sources[relationship.name] ?? "")"
    if let old = pair.source(of: relationship.name) {
      guard let ambiguity = pair.ambiguity(of: old.name) else { return }
      report(relationship, ambiguity) { _ in SnippetText.drop(name) }
    } else if let inverse = context.target.inverse(of: relationship),
      context.choice(nil, reference(relationship, of: pair.to)) == nil,
      context.choice(nil, reference(inverse.relationship, of: inverse.declaredBy)) == nil,
      let old = pairs[inverse.declaredBy.name, default: []].lazy
        .compactMap({ $0.source(of: inverse.relationship.name) as? Relationship }).first,
      let obstacle = InferenceRules.answer(
        adding: relationship, inverseOf: inverse.relationship, from: old
      ).obstacle
    {
      report(relationship, obstacle) { [script] _ in script }
    }
  }

  private func reference(_ relationship: Relationship, of entity: Entity) -> PropertyReference {
    PropertyReference(entity.name, relationship.name)
  }

  private mutating func report(
    _ relationship: Relationship, _ why: String, snippet: @escaping (String) -> String?
  ) {
    found.append(
      FoundProblem(
        .notInferable, .target, pair.to, relationship.name,
        why: why.prefix(1).uppercased() + why.dropFirst() + ".", snippet: snippet))
  }
}
