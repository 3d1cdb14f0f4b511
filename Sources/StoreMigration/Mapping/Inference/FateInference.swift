internal import CoreDataStore

/// Finds what happens to each stored property of one source entity.
struct FateInference {
  private(set) var fates: [PropertyFate] = []
  /// What would be lost although the pipeline does not give it up.
  private(set) var found: [FoundProblem] = []

  private let context: MappingContext
  private let pair: PropertyPairing
  private let claims: [ScriptClaim]

  /// The fates at one pair of entities, given where each of the source's relationships goes.
  init(
    _ pair: PropertyPairing, _ attributes: [AttributeMapping],
    _ links: LinkUses, in context: MappingContext
  ) {
    (self.context, self.pair) = (context, pair)
    claims = context.claims(on: pair.from)
    let targets = Dictionary(grouping: attributes, by: \.source).mapValues { $0.map(\.name) }
    for attribute in context.source.allAttributes(of: pair.from)
    where attribute.isStored && attribute.derivation == nil {
      add(attribute, fate(of: attribute, targets[attribute.name] ?? []))
    }
    for relationship in context.source.allRelationships(of: pair.from)
    where !relationship.isTransient {
      add(relationship, fate(of: relationship, links))
    }
    fates.sort { NameOrder.precedes($0.name, $1.name) }
  }

  private mutating func add(_ property: some Property, _ fate: MappingFate) {
    fates.append(
      PropertyFate(
        name: property.name, isRelationship: property is Relationship, fate: fate))
    reportAmbiguity(property)
    guard fate == .dropped(isDeclared: false), !pair.from.isAbstract else { return }
    found.append(
      FoundProblem(.loss, .source, pair.from, property.name, why: why(property)) { [pair] entity in
        let drop = SnippetText.drop("\(entity).\(property.name)")
        guard Self.isTakenForAnother(property, pair) else { return drop }
        return SnippetText.rename(entity, property.name, to: property.name) + ", or " + drop
      })
  }

  /// Core Data refuses it although the property ends, or is computed from now on.
  private mutating func reportAmbiguity(_ property: some Property) {
    let new = pair.target(of: property.name).flatMap { pair.new[$0] }
    guard !pair.from.isAbstract, new == nil || (new as? Attribute)?.derivation != nil,
      let why = pair.ambiguity(of: property.name)
    else { return }
    found.append(
      FoundProblem(
        .notInferable, .source, pair.from, property.name,
        why: why.prefix(1).uppercased() + why.dropFirst() + "."
      ) { SnippetText.drop("\($0).\(property.name)") })
  }

  /// Whether the target has a property of this name and kind that is not what this one became.
  private static func isTakenForAnother(
    _ property: some Property, _ pair: PropertyPairing
  ) -> Bool {
    guard let new = pair.new[property.name], !pair.dropped.contains(property.name),
      pair.target(of: property.name) == nil
    else { return false }
    return new is Relationship == property is Relationship && !new.isTransient
  }

  /// Why what a property holds has no place, although the target may have one of its name.
  private func why(_ property: some Property) -> String {
    let lost = "what it holds would be lost."
    if Self.isTakenForAnother(property, pair) {
      return "Core Data takes the target's \(pair.to.name).\(property.name) for another property, "
        + "because its renaming identifier is another one: \(lost)"
    }
    guard let old = property as? Relationship,
      let new = pair.target(of: old.name).flatMap({ pair.new[$0] }) as? Relationship
    else { return "The target has no place for it: \(lost)" }
    guard context.leadsOn(old, to: new) else {
      return "It leads to \(new.destination) from now on, which is another entity: \(lost)"
    }
    let inverse = context.target.inverse(of: new)
      .map { "\($0.declaredBy.name).\($0.relationship.name)" }
    return "From now on the links of \(pair.to.name).\(new.name) are stored with "
      + "\(inverse ?? "another relationship"), which is new and starts empty: \(lost)"
  }

  private func fate(of attribute: Attribute, _ uses: [String]) -> MappingFate {
    guard !uses.contains(attribute.name) else { return .kept }
    guard uses.isEmpty else { return .moved(to: uses) }
    if let name = pair.target(of: attribute.name), let new = pair.new[name] as? Attribute,
      new.isStored, new.derivation != nil
    {
      // From now on it is computed: what the old values said is said again.
      return name == attribute.name ? .kept : .moved(to: [name])
    }
    return unused(attribute.name)
  }

  private func fate(of relationship: Relationship, _ links: LinkUses) -> MappingFate {
    let end = SourceLink.End(relationship.name, of: pair.from, in: context.source)
    let uses = end.map { links.of($0.reference, at: pair.to) } ?? []
    guard !uses.isEmpty else {
      // Where the destination is left behind its links go with it, and the loss is reported for it.
      let inverse = end?.inverse(in: context.source)
      guard context.survives(relationship.destination), !isDropped(inverse) else {
        return .dropped(isDeclared: true)
      }
      let fate = unused(relationship.name)
      let isOpen = fate == .dropped(isDeclared: false)
      return isOpen && isTaken(relationship, at: inverse) ? .scripted : fate
    }
    let name = pair.target(of: relationship.name)
    if name == relationship.name { return .kept }
    return .moved(to: name.map { [$0] } ?? uses.map(\.description))
  }

  /// Whether the links of a relationship are given up by the name of its inverse.
  private func isDropped(_ inverse: SourceLink.End?) -> Bool {
    guard let name = inverse?.reference,
      let entity = context.source.entity(named: name.entity)
    else { return false }
    return context.drops(name.property, of: entity)
      || context.accepts(lossOf: name.property, of: entity)
  }

  /// Whether scripts that make all objects at the other end take the links there: two
  /// relationships to many that are inverses have the same ones.
  private func isTaken(_ relationship: Relationship, at inverse: SourceLink.End?) -> Bool {
    guard relationship.isToMany, let inverse, inverse.relationship.isToMany,
      let far = context.source.entity(named: relationship.destination)
    else { return false }
    return context.source.descendants(of: far).filter { !$0.isAbstract }.allSatisfy { member in
      context.claims(on: member).contains { claim in
        claim.makesObjects && claim.takes([inverse.reference.property])
      }
    }
  }

  private func unused(_ name: String) -> MappingFate {
    // A script that reads a composite attribute reads all its parts.
    let parts = name.split(separator: ".")
    let names = parts.indices.map { parts[...$0].joined(separator: ".") }
    if claims.contains(where: { $0.takes(names) }) { return .scripted }
    return .dropped(
      isDeclared: pair.dropped.contains(name) || context.accepts(lossOf: name, of: pair.from))
  }
}
