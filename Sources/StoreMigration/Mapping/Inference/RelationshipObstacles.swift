internal import CoreDataStore

/// Finds what Core Data could not infer about the relationships of one target entity.
struct RelationshipObstacles {
  /// What could not be answered.
  private(set) var found: [FoundProblem] = []

  private let context: MappingContext
  private let pair: PropertyPairing

  init(_ pair: PropertyPairing, in context: MappingContext) {
    (self.context, self.pair) = (context, pair)
    let claims = context.claims(on: pair.from)
    guard !pair.from.isAbstract, !claims.contains(where: \.makesObjects) else { return }
    for relationship in context.target.allRelationships(of: pair.to)
    where !relationship.isTransient
      && !claims.contains(where: { $0.attributes.contains(relationship.name) })
    {
      check(relationship)
    }
  }

  private mutating func check(_ relationship: Relationship) {
    switch pair.source(of: relationship.name) {
    case let old as Relationship where !old.isTransient: check(relationship, from: old)
    case let other? where !(other is Relationship):
      let name = "\(pair.from.name).\(other.name)"
      report(relationship, "Core Data cannot turn one kind of property into another") { _ in
        SnippetText.drop(name)
      }
    default:
      guard let obstacle = InferenceRules.obstacle(adding: relationship) else { return }
      report(relationship, obstacle) { [pair] _ in SnippetText.script(pair.from.name) }
    }
  }

  private mutating func check(_ relationship: Relationship, from old: Relationship) {
    // One of many is the concern of links, which know both ends.
    var alike = old
    alike.maxCount = relationship.maxCount
    let isSame = isSameDestination(old, relationship)
    guard
      let obstacle = InferenceRules.obstacle(alike, relationship, isSameDestination: isSame)
    else { return }
    guard isSame else {
      return report(relationship, obstacle) { [pair] _ in
        SnippetText.drop("\(pair.from.name).\(old.name)")
      }
    }
    guard !context.filters(of: pair.from).contains(where: { $0.mentions(old.name) }) else { return }
    report(relationship, obstacle) { [pair] _ in
      let script = SnippetText.script(pair.from.name)
      let filter = SnippetText.filter(pair.from.name, old.name)
      return old.isToMany ? script : "\(filter), or \(script)"
    }
  }

  /// Whether it leads to what its destination became, or to something that this inherits from.
  ///
  /// Where nothing of the old destination is carried over there are no links to lead astray.
  private func isSameDestination(_ old: Relationship, _ new: Relationship) -> Bool {
    guard let now = context.target.entity(named: new.destination) else { return false }
    guard let name = context.entities.targets[old.destination],
      let destination = context.target.entity(named: name)
    else { return !context.survives(old.destination) }
    return context.target.entity(destination, inheritsFrom: now)
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
