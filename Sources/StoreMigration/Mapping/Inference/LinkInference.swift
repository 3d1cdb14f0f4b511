internal import CoreDataStore

/// Finds how each relationship of the target gets its links.
struct LinkInference {
  private typealias End = SourceLink.End

  /// A link of the source, and by which end of the target's it was found.
  private typealias Source = (link: SourceLink, isFoundForward: Bool, isFoundBackward: Bool)

  private let context: MappingContext
  private let pairs: [String: [PropertyPairing]]
  private let dropped: Set<PropertyReference>

  /// Every stored relationship of the target, together with its inverse.
  private(set) var links: [LinkMapping] = []
  /// Choices that the pipeline does not make, and those that cannot be.
  private(set) var problems: [MappingProblem] = []

  init(_ pairs: [PropertyPairing], in context: MappingContext) {
    self.context = context
    self.pairs = Dictionary(grouping: pairs, by: \.to.name)
    dropped = Self.dropped(pairs, in: context.source)
    for entity in context.target.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        let end = End(relationship, declaredBy: entity)
        let inverse = end.inverse(in: context.target)
        if Self.leads(end, over: inverse) { add(end, inverse) }
      }
    }
  }

  /// Of two inverses the one to one object leads, or else the first by name.
  private static func leads(_ end: End, over inverse: End?) -> Bool {
    guard let inverse, inverse.reference != end.reference else { return true }
    let (toMany, inverseToMany) = (end.relationship.isToMany, inverse.relationship.isToMany)
    return toMany == inverseToMany ? end.reference < inverse.reference : !toMany
  }

  private mutating func add(_ end: End, _ inverse: End?) {
    let sources = sources(of: end, inverse)
    for source in sources {
      let isOneOfSeveral = sources.count > 1
      add(
        end, inverse, source.link, meetsForward: isOneOfSeveral && !source.isFoundForward,
        meetsBackward: isOneOfSeveral && !source.isFoundBackward)
    }
    if sources.isEmpty { add(end, inverse, nil, meetsForward: false, meetsBackward: false) }
  }

  /// Adds a link that in some direction may meet another one's links, which narrows it, too.
  private mutating func add(
    _ end: End, _ inverse: End?, _ source: SourceLink?, meetsForward: Bool, meetsBackward: Bool
  ) {
    let storage = LinkStorage(
      isToMany: end.relationship.isToMany, inverseIsToMany: inverse?.relationship.isToMany)
    let narrowsForward =
      storage.leadsToOne && (meetsForward || source?.storage?.leadsToOne == false)
    let narrowsBackward =
      storage.leadsBackToOne && (meetsBackward || source?.storage?.leadsBackToOne == false)
    let forward = direction(
      end, source?.forward, narrows: narrowsForward, from: source?.backward, spare: nil)
    // A direction that has no relationship is spoken of by the name of the other.
    let spare = narrowsForward || inverse != nil || source?.backward != nil ? nil : end.reference
    let backward = direction(
      inverse, source?.backward, narrows: narrowsBackward, from: source?.forward, spare: spare)
    links.append(
      LinkMapping(
        forward: forward, backward: backward, sourceStorage: source?.storage,
        targetStorage: storage, rule: rule(end, inverse, source)))
  }

  /// The rule that pairs the relationships, or where these are new, their inverses.
  private func rule(_ end: End, _ inverse: End?, _ source: SourceLink?) -> MappingRule {
    for (end, old) in [(end, source?.forward), (inverse, source?.backward)] {
      guard let end, let old else { continue }
      let pair = pairs(having: end).first {
        $0.sources[end.reference.property] == old.reference.property
      }
      if let pair { return pair.rule(of: end.reference.property) }
    }
    return .null
  }

  /// The pairs of entities whose target has a relationship, by inheritance perhaps.
  private func pairs(having end: End) -> [PropertyPairing] {
    guard let owner = context.target.entity(named: end.reference.entity) else { return [] }
    return context.target.descendants(of: owner).flatMap { pairs[$0.name, default: []] }
  }
}

// Where links come from.
extension LinkInference {
  /// The links of the source that a relationship of the target takes over.
  ///
  /// Where a relationship and its inverse were two separate ones before, the one to one object
  /// knows better; the other's links are left behind.
  private func sources(of end: End, _ inverse: End?) -> [Source] {
    let forward = found(by: end).map {
      SourceLink(forward: $0, backward: $0.inverse(in: context.source))
    }
    guard let inverse, inverse.reference != end.reference else {
      return forward.map { ($0, isFoundForward: true, isFoundBackward: false) }
    }
    let backward = found(by: inverse).map {
      SourceLink(forward: $0.inverse(in: context.source), backward: $0)
    }
    let all = Set(forward).isSubset(of: backward) ? backward : forward
    return all.map { ($0, forward.contains($0), backward.contains($0)) }
  }

  /// The relationships of the source that became this one, for some of its objects perhaps.
  private func found(by end: End) -> [End] {
    var found: [End] = []
    for pair in pairs(having: end) {
      guard let name = pair.sources[end.reference.property],
        let old = End(name, of: pair.from, in: context.source),
        !found.contains(old), !isDropped(old)
      else { continue }
      found.append(old)
    }
    return found
  }

  /// Whether the file drops a link by one of its ends.
  private func isDropped(_ end: End) -> Bool {
    dropped.contains(end.reference)
      || end.inverse(in: context.source).map { dropped.contains($0.reference) } == true
  }

  /// The relationships that the file drops, for all objects, although the target has a place for
  /// them: dropping one that ends anyway does not end its inverse.
  private static func dropped(
    _ pairs: [PropertyPairing], in source: Model
  ) -> Set<PropertyReference> {
    let names = pairs.reduce(into: Set<String>()) { $0.formUnion($1.dropped) }
    var dropped: Set<PropertyReference> = []
    var kept: Set<PropertyReference> = []
    for pair in pairs {
      for name in names where pair.targetsWithoutDrops[name] != nil {
        guard let end = End(name, of: pair.from, in: source) else { continue }
        if pair.dropped.contains(name) {
          dropped.insert(end.reference)
        } else {
          kept.insert(end.reference)
        }
      }
    }
    return dropped.subtracting(kept)
  }
}

// One direction of a link.
extension LinkInference {
  /// One direction, with the source's relationship in the opposite one, and the relationship to
  /// speak of when there is none in this.
  private mutating func direction(
    _ end: End?, _ source: End?, narrows: Bool, from other: End?, spare: PropertyReference?
  ) -> LinkMapping.Direction {
    let choice = narrows ? choice(source?.reference, end?.reference ?? spare) : nil
    let far = source?.relationship.destination ?? other?.reference.entity
    if let choice { check(choice, far: far) }
    if narrows, choice == nil, let name = source?.reference ?? end?.reference ?? spare {
      refuse(name, wasToMany: source != nil && end != nil)
    }
    return LinkMapping.Direction(
      target: end?.reference, source: source?.reference, order: Self.order(end, source),
      narrows: narrows, keep: choice?.keep)
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

  /// The choice that the file makes for a relationship, by its name before or after.
  private func choice(_ old: PropertyReference?, _ new: PropertyReference?) -> LinkChoice? {
    context.instructions.choices.first { choice in
      guard let name = MappingContext.parts(of: choice.relationship) else { return false }
      return Self.means(name, old, in: context.source)
        || Self.means(name, new, in: context.target)
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

  private mutating func refuse(_ name: PropertyReference, wasToMany: Bool) {
    let isAccepted = context.instructions.acceptedLosses.contains { $0.matches("\(name)") }
    guard wasToMany || !isAccepted else { return }
    problems.append(
      MappingProblem(
        wasToMany ? .notInferable : .loss, "\(name)",
        why: wasToMany
          ? "Core Data cannot choose one of many."
          : "Several objects may lead to the same one, and only one of them can from now on.",
        snippet: SnippetText.one("\(name)")))
  }

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
