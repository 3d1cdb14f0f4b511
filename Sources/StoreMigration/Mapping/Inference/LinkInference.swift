internal import CoreDataStore

/// Finds how each relationship of the target gets its links.
struct LinkInference {
  private typealias End = SourceLink.End

  private let context: MappingContext
  private let pairs: [String: [PropertyPairing]]
  private let sources: LinkSources

  /// Every stored relationship of the target, together with its inverse.
  private(set) var links: [LinkMapping] = []
  /// Choices that the pipeline does not make, and those that cannot be.
  private(set) var problems: [MappingProblem] = []

  init(_ pairs: [PropertyPairing], in context: MappingContext) {
    self.context = context
    self.pairs = Dictionary(grouping: pairs, by: \.to.name)
    sources = LinkSources(pairs, in: context)
    for entity in context.target.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        let end = End(relationship, declaredBy: entity)
        let inverse = end.inverse(in: context.target)
        guard Self.leads(end, over: inverse) else { continue }
        for part in sources.parts(of: end, inverse) { add(part) }
      }
    }
  }

  /// Of two inverses the one to one object leads, or else the first by name.
  private static func leads(_ end: End, over inverse: End?) -> Bool {
    guard let inverse, inverse.reference != end.reference else { return true }
    let (toMany, inverseToMany) = (end.relationship.isToMany, inverse.relationship.isToMany)
    return toMany == inverseToMany ? end.reference < inverse.reference : !toMany
  }

  private mutating func add(_ part: LinkSources.Part) {
    let (end, inverse, source) = (part.end, part.inverse, part.source)
    let storage = LinkStorage(
      isToMany: end.relationship.isToMany, inverseIsToMany: inverse?.relationship.isToMany)
    let narrowsForward =
      storage.leadsToOne && (part.meetsForward || source?.storage?.leadsToOne == false)
    let narrowsBackward =
      storage.leadsBackToOne && (part.meetsBackward || source?.storage?.leadsBackToOne == false)
    let forward = direction(
      end, source?.forward, narrows: narrowsForward, from: source?.backward, spare: nil)
    // A direction that has no relationship is spoken of by the name of the other.
    let spare = narrowsForward || inverse != nil || source?.backward != nil ? nil : end.reference
    let backward = direction(
      inverse, source?.backward, narrows: narrowsBackward, from: source?.forward, spare: spare)
    links.append(
      LinkMapping(
        forward: forward, backward: backward, sourceStorage: source?.storage,
        targetStorage: storage,
        isOneSided: inverse == nil && end.inverse(in: context.target) != nil,
        rule: rule(end, inverse, source)))
  }

  /// The rule that pairs the relationships, or where these are new, their inverses.
  private func rule(_ end: End, _ inverse: End?, _ source: SourceLink?) -> MappingRule {
    for (end, old) in [(end, source?.forward), (inverse, source?.backward)] {
      if let end, let pair = pair(end, old) { return pair.rule(of: end.reference.property) }
    }
    return .null
  }

  /// The pair of entities in which a relationship of the source became one of the target.
  private func pair(_ end: End?, _ old: End?) -> PropertyPairing? {
    guard let end, let old else { return nil }
    return sources.pairs(having: end).first {
      $0.sources[end.reference.property] == old.reference.property
    }
  }
}

// One direction of a link.
extension LinkInference {
  /// One direction, with the source's relationship in the opposite one, and the relationship to
  /// speak of when there is none in this.
  private mutating func direction(
    _ end: End?, _ source: End?, narrows: Bool, from other: End?, spare: PropertyReference?
  ) -> LinkMapping.Direction {
    let choice = narrows ? context.choice(source?.reference, end?.reference ?? spare) : nil
    let far = source?.relationship.destination ?? other?.reference.entity
    if let choice { check(choice, far: far) }
    if narrows, choice == nil, let name = source?.reference ?? end?.reference ?? spare {
      let met = source?.relationship.isToMany == false ? end?.reference : nil
      refuse(name, wasToMany: source != nil && end != nil, met: met)
    }
    return LinkMapping.Direction(
      target: end?.reference, source: source?.reference, isPaired: pair(end, source) != nil,
      order: Self.order(end, source), narrows: narrows, keep: choice?.keep)
  }

  private static func order(_ end: End?, _ source: End?) -> LinkMapping.Order {
    func isOrdered(_ end: End?) -> Bool {
      guard let relationship = end?.relationship else { return false }
      return relationship.isOrdered && relationship.isToMany
    }
    return switch (isOrdered(source), isOrdered(end)) {
    case (true, true): .kept
    case (false, true): .numbered
    case (true, false): .dropped
    case (false, false): .none
    }
  }

  /// `met` is where links to one object meet those of other relationships.
  private mutating func refuse(
    _ name: PropertyReference, wasToMany: Bool, met: PropertyReference?
  ) {
    let isAccepted = context.instructions.acceptedLosses.contains { $0.matches("\(name)") }
    guard wasToMany || !isAccepted else { return }
    problems.append(
      MappingProblem(
        wasToMany ? .notInferable : .loss, "\(name)",
        why: met.map {
          "Other relationships come together with it in \($0), which leads to one object."
        } ?? (wasToMany ? "\(InferenceRules.oneOfMany)." : Self.severalLeft),
        snippet: SnippetText.one("\(name)")))
  }

  private static let severalLeft =
    "Several objects may lead to the same one, and only one of them can from now on."

  private mutating func check(_ choice: LinkChoice, far: String?) {
    guard let attribute = choice.attribute, let entity = far.flatMap(context.source.entity(named:)),
      context.source.attribute(named: attribute, of: entity)?.attribute.isStored != true
    else { return }
    let names = context.source.allAttributes(of: entity).map(\.name)
    problems.append(
      MappingProblem(
        .instruction, choice.relationship,
        why: "The source's \(entity.name) has no stored attribute \(attribute)"
          + NearestName.suggestion(for: attribute, among: names) + ".",
        line: choice.line))
  }
}
