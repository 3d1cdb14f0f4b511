/// Compares the properties of one entity in two versions.
///
/// Inherited properties are known to both sides, so that one moved up or down is not lost; what
/// happened to it is reported once, where it is declared.
struct PropertyComparison {
  private let source: Model
  private let target: Model
  private let entities: RenamingMatch
  private let from: Entity
  private let to: Entity
  private let old: [String: any Property]
  private let new: [String: any Property]
  private let match: RenamingMatch
  private let declaredBefore: Set<String>
  private let declaredNow: Set<String>

  init(
    source: Model, target: Model, match entities: RenamingMatch, from: Entity, to: Entity,
    areEqual: Bool
  ) {
    (self.source, self.target, self.entities) = (source, target, entities)
    (self.from, self.to) = (from, to)
    declaredBefore = Set(from.propertyNames)
    declaredNow = Set(to.propertyNames)
    let before = Self.all(of: from, in: source)
    let after = Self.all(of: to, in: target)
    match = RenamingMatch(source: before, target: after, areEqual: areEqual)
    old = Dictionary(before.map { ($0.name, $0) }) { first, _ in first }
    new = Dictionary(after.map { ($0.name, $0) }) { first, _ in first }
  }

  private static func all(of entity: Entity, in model: Model) -> [any Property] {
    model.allAttributes(of: entity) as [any Property] + model.allRelationships(of: entity)
      + model.allFetchedProperties(of: entity)
  }

  /// The properties that were added, removed, renamed or changed, by name.
  func differences() -> [PropertyDifference] {
    let changed = to.propertyNames.compactMap { new[$0].flatMap(difference) }
    let removed = from.propertyNames.compactMap { name in
      match.targets[name] == nil ? old[name].map(removal) : moved(name)
    }
    return (changed + removed).sorted { NameOrder.precedes($0.name, $1.name) }
  }

  private func difference(_ property: any Property) -> PropertyDifference? {
    guard let before = match.sources[property.name].flatMap({ old[$0] }) else {
      return addition(property)
    }
    let isRenamed = before.name != property.name
    let moved = declaredBefore.contains(before.name) ? nil : movedHere(before)
    let aspects = aspects(before, property) + [moved].compactMap(\.self)
    guard isRenamed || !aspects.isEmpty else { return nil }
    let answer = answer(before, property)
    return PropertyDifference(
      name: property.name, kind: Self.kind(of: property), change: isRenamed ? .renamed : .changed,
      from: isRenamed ? before.name : nil, aspects: aspects,
      changesHash: hash(before, in: source, from) != hash(property, in: target, to),
      obstacle: answer.obstacle, condition: answer.condition)
  }

  private static func kind(of property: any Property) -> PropertyDifference.Kind {
    property is Attribute
      ? .attribute : property is Relationship ? .relationship : .fetchedProperty
  }

  private func addition(_ property: any Property) -> PropertyDifference {
    let answer = answer(adding: property)
    return PropertyDifference(
      name: property.name, kind: Self.kind(of: property), change: .added, from: nil, aspects: [],
      changesHash: !property.isTransient, obstacle: answer.obstacle, condition: answer.condition)
  }

  private func removal(_ property: any Property) -> PropertyDifference {
    PropertyDifference(
      name: property.name, kind: Self.kind(of: property), change: .removed, from: nil, aspects: [],
      changesHash: !property.isTransient, obstacle: ambiguity(property))
  }

  /// What this entity declared and now inherits.
  private func moved(_ name: String) -> PropertyDifference? {
    guard let newName = match.targets[name], !declaredNow.contains(newName),
      let before = old[name], let after = new[newName]
    else { return nil }
    let owner = target.lineage(of: to).first { $0.propertyNames.contains(newName) }
    let place = Aspect(name: "declared by", from: from.name, to: owner?.name ?? "an ancestor")
    let answer = answer(before, after)
    return PropertyDifference(
      name: newName, kind: Self.kind(of: after), change: newName == name ? .changed : .renamed,
      from: newName == name ? nil : name, aspects: aspects(before, after) + [place],
      changesHash: hash(before, in: source, from) != hash(after, in: target, to),
      obstacle: answer.obstacle, condition: answer.condition)
  }

  /// What this entity inherited and now declares.
  private func movedHere(_ before: any Property) -> Aspect? {
    source.lineage(of: from).first { $0.propertyNames.contains(before.name) }.map {
      Aspect(name: "declared by", from: $0.name, to: to.name)
    }
  }

  private func hash(_ property: any Property, in model: Model, _ entity: Entity) -> String {
    guard !property.isTransient else { return "transient" }
    let hash =
      switch property {
      case let attribute as Attribute: PropertyHash.of(attribute)
      case let relationship as Relationship:
        PropertyHash.of(relationship, in: model, declaredBy: entity)
      default: PropertyHash.uncertain(why: "it has no storage")
      }
    guard case .known(let known) = hash else { return "\(property)" }
    return known.base64
  }

  private func aspects(_ before: any Property, _ after: any Property) -> [Aspect] {
    switch (before, after) {
    case (let before as Attribute, let after as Attribute):
      AttributeAspects.between(before, after)
    case (let before as Relationship, let after as Relationship):
      RelationshipAspects.between(before, after, entities: entities)
    case (let before as FetchedProperty, let after as FetchedProperty):
      [
        Aspect("fetches", before.request, after.request) {
          "\($0?.entity ?? "nothing") where \($0?.predicate?.description ?? "anything")"
        }
      ].compactMap(\.self)
    default: []
    }
  }

  private func answer(
    _ before: any Property, _ after: any Property
  ) -> InferenceRules.Answer {
    if let ambiguity = ambiguity(before) { return .refused(ambiguity) }
    return switch (before, after) {
    case (let before as Attribute, let after as Attribute):
      InferenceRules.answer(before, after)
    case (let before as Relationship, let after as Relationship):
      InferenceRules.answer(
        before, after, isSameDestination: isSameDestination(before, after))
    default: .inferred
    }
  }

  private func answer(adding property: any Property) -> InferenceRules.Answer {
    guard let relationship = property as? Relationship,
      let inverse = target.inverse(of: relationship),
      let owner = entities.sources[inverse.declaredBy.name].flatMap(source.entity(named:)),
      let name = RenamingMatch(
        source: Self.all(of: owner, in: source),
        target: Self.all(of: inverse.declaredBy, in: target)
      ).sources[inverse.relationship.name],
      let old = source.relationship(named: name, of: owner)?.relationship
    else { return InferenceRules.answer(adding: property) }
    return InferenceRules.answer(
      adding: relationship, inverseOf: inverse.relationship, from: old)
  }

  private func ambiguity(_ property: any Property) -> String? {
    guard match.ambiguousSources.contains(property.name) else { return nil }
    let others = old.values.filter {
      $0.name != property.name && $0.renamingName == property.renamingName
        && match.ambiguousSources.contains($0.name)
    }.map(\.name)
    return InferenceRules.ambiguity("property", among: others.sortedByName())
  }

  /// Why Core Data refuses what the entity inherited from one that ends, which nothing else says.
  var inheritedAmbiguity: String? {
    let ended = source.lineage(of: from).filter { entities.targets[$0.name] == nil }
    return ended.flatMap(\.propertyNames).sortedByName().lazy.compactMap { [old] name in
      old[name].flatMap(ambiguity).map { "the inherited \(name): \($0)" }
    }.first
  }

  /// Whether the destination is the same entity, renamed perhaps, or has it in its lineage.
  private func isSameDestination(_ before: Relationship, _ after: Relationship) -> Bool {
    guard let name = entities.targets[before.destination],
      let destination = target.entity(named: name),
      let now = target.entity(named: after.destination)
    else { return false }
    return target.entity(destination, inheritsFrom: now)
  }
}

/// What is not the same about two versions of a relationship.
enum RelationshipAspects {
  /// The differences; a destination that was only renamed is none.
  static func between(
    _ old: Relationship, _ new: Relationship, entities: RenamingMatch
  ) -> [Aspect] {
    let aspects: [Aspect?] = [
      destination(old, new, entities),
      Aspect("inverse", old.inverseName, new.inverseName),
      Aspect("leads to", old.isToMany, new.isToMany, yes: "many", no: "one"),
      Aspect("value", old.isOptional, new.isOptional, yes: "optional", no: "mandatory"),
      Aspect("ordered", old.isOrdered, new.isOrdered),
      Aspect("fewest", old.minCount, new.minCount, words: String.init),
      Aspect("most", old.maxCount, new.maxCount) { $0 == 0 ? "any number" : String($0) },
      Aspect("storage", old.isTransient, new.isTransient, yes: "transient", no: "stored"),
      Aspect("read-only", old.isReadOnly, new.isReadOnly),
      Aspect("hash modifier", old.hashModifier, new.hashModifier),
      Aspect("delete rule", old.deleteRule, new.deleteRule, words: \.name),
      Aspect("indexed", old.isIndexed, new.isIndexed),
      Aspect("user info", old.userInfo, new.userInfo) {
        $0.isEmpty ? "none" : $0.keys.sortedByName().joined(separator: ", ")
      },
    ]
    return aspects.compactMap(\.self)
  }

  private static func destination(
    _ old: Relationship, _ new: Relationship, _ entities: RenamingMatch
  ) -> Aspect? {
    let name = old.destination
    guard !entities.joins(name, new.destination) else { return nil }
    return Aspect(
      name: "destination", from: "\(name)\(entities.fate(of: name))", to: new.destination)
  }
}

/// What is not the same about two versions of an attribute.
enum AttributeAspects {
  /// The differences, those that matter most first.
  static func between(_ old: Attribute, _ new: Attribute) -> [Aspect] {
    (meaning(old, new) + rules(old, new) + surroundings(old, new)).compactMap(\.self)
  }

  /// What enters the version hash.
  private static func meaning(_ old: Attribute, _ new: Attribute) -> [Aspect?] {
    [
      Aspect("type", old.type, new.type, words: \.name),
      Aspect("value", old.isOptional, new.isOptional, yes: "optional", no: "mandatory"),
      Aspect("storage", old.isTransient, new.isTransient, yes: "transient", no: "stored"),
      Aspect("read-only", old.isReadOnly, new.isReadOnly),
      Aspect("external storage", old.usesExternalStorage, new.usesExternalStorage),
      Aspect(
        "preserved after deletion", old.isPreservedAfterDeletion, new.isPreservedAfterDeletion),
      Aspect("derivation", old.derivation, new.derivation) { derivation in
        guard let derivation else { return "none" }
        let filter = derivation.filter.map { " where \($0)" } ?? ""
        return "\(derivation.expression)\(filter)"
      },
      Aspect("hash modifier", old.hashModifier, new.hashModifier),
    ]
  }

  private static func rules(_ old: Attribute, _ new: Attribute) -> [Aspect?] {
    [
      Aspect("default", old.defaultValue, new.defaultValue) { $0?.predicateText ?? "none" },
      Aspect("validation", old.validation, new.validation) { rules in
        let words = rules.map(\.description).joined(separator: ", ")
        return words.isEmpty ? "none" : words
      },
    ]
  }

  private static func surroundings(_ old: Attribute, _ new: Attribute) -> [Aspect?] {
    [
      Aspect("transformer", old.transformerName, new.transformerName),
      Aspect("class of values", old.valueClassName, new.valueClassName),
      Aspect("indexed", old.isIndexed, new.isIndexed),
      Aspect("user info", old.userInfo, new.userInfo) {
        $0.isEmpty ? "none" : $0.keys.sortedByName().joined(separator: ", ")
      },
    ]
  }
}
