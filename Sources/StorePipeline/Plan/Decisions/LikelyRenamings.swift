internal import CoreDataStore
internal import Foundation
internal import StoreMigration

/// What may have become what: offered to the user with the reasons, never taken.
struct LikelyRenamings {
  private let source: Model
  private let target: Model
  private let samples: StepNeeds.Samples
  /// What the scripts of a file make, by the source's entity.
  private let made: [String: Set<String>]

  init(
    _ source: Model, _ target: Model, _ samples: StepNeeds.Samples, claims: [ScriptClaim]
  ) {
    (self.source, self.target, self.samples) = (source, target, samples)
    made = Dictionary(claims.map { ($0.entity, $0.attributes) }) { $0.union($1) }
  }

  /// Where what a name stands for may have gone, or may have come from; the likeliest first.
  func answers(to name: String, _ mapping: Mapping) -> [StepNeeds.Answer] {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard let entity = parts.first else { return [] }
    let fate = mapping.objects(from: entity)?.fate(of: parts.last ?? "")
    if parts.count == 1 || fate == .dropped(isDeclared: false) {
      let renamings = renamings(of: name, mapping)
      return renamings.isEmpty ? places(for: parts, mapping) : renamings
    }
    if let attribute = target.attribute(parts[1], of: parts[0]) {
      return origins(of: attribute, in: parts[0], mapping)
    }
    let link = target.entity(named: parts[0]).flatMap {
      target.relationship(named: parts[1], of: $0)?.relationship
    }
    return link.map { origins(of: $0, in: parts[0], mapping) } ?? []
  }

  /// What may give a new attribute its values, of attributes that have no place any more.
  func givers(
    of attribute: Attribute, _ object: ObjectMapping, _ mapping: Mapping
  ) -> [StepNeeds.Answer] {
    lost(of: object).flatMap { old in
      let text = SnippetText.map(object.target, attribute.name, SnippetText.from(old.name))
      return answers(to: "\(object.source).\(old.name)", mapping).filter { $0.text == text }
    }
  }

  /// New attributes that may take the values of one that has no place any more.
  private func places(for parts: [String], _ mapping: Mapping) -> [StepNeeds.Answer] {
    guard parts.count == 2, let object = mapping.objects(from: parts[0]),
      let new = target.entity(named: object.target),
      let old = source.attribute(parts[1], of: parts[0])
    else { return [] }
    let others = lost(of: object).filter { $0.name != old.name }
    return fresh(of: object, new)
      .filter { $0.type == old.type && ($0.isOptional || !old.isOptional) }
      .filter { attribute in
        !others.contains { likeness(of: $0, to: attribute, parts[0], new.name) != nil }
      }.prefix(3)
      .map { attribute in
        let value = SnippetText.from(old.name)
        return .init(
          .rule, SnippetText.map(new.name, attribute.name, value),
          "\(new.name).\(attribute.name) is new")
      }
  }

  /// What an entity, or a property of one, of the source may be called now; the likeliest first.
  func renamings(of name: String, _ mapping: Mapping) -> [StepNeeds.Answer] {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return entities(likely: name, mapping) }
    guard let entity = source.entity(named: parts[0]),
      let object = mapping.objects(from: parts[0]), let new = target.entity(named: object.target)
    else { return [] }
    if let attribute = source.attribute(named: parts[1], of: entity)?.attribute {
      return fresh(of: object, new).compactMap { other in
        likeness(of: attribute, to: other, entity.name, new.name)
          .map { (SnippetText.rename(entity.name, attribute.name, to: other.name), $0) }
      }.answers
    }
    guard let link = source.relationship(named: parts[1], of: entity)?.relationship else {
      return []
    }
    let own = renamings(of: link, of: entity, into: new, mapping)
    // Links have two ends: a new name at the other one settles both.
    guard own.isEmpty, let inverse = link.inverseName,
      let far = source.entity(named: link.destination),
      let back = source.relationship(named: inverse, of: far)?.relationship,
      let next = mapping.objects(from: far.name).flatMap({ target.entity(named: $0.target) })
    else { return own }
    return renamings(of: back, of: far, into: next, mapping)
  }

  private func renamings(
    of link: Relationship, of entity: Entity, into new: Entity, _ mapping: Mapping
  ) -> [StepNeeds.Answer] {
    let others = freshLinks(of: new, mapping)
    let likely = others.compactMap { other in
      likeness(of: link, to: other, mapping)
        .map { (SnippetText.rename(entity.name, link.name, to: other.name), $0) }
    }.answers
    let places = others.filter { isSameKind(link, $0, mapping) }
    let lost = source.allRelationships(of: entity).filter { old in
      mapping.objects(from: entity.name)?.fate(of: old.name) == .dropped(isDeclared: false)
        && old.isToMany == link.isToMany && old.destination == link.destination
    }
    guard likely.isEmpty, places.count == 1, lost.count <= 1 else { return likely }
    return places.map { place in
      StepNeeds.Answer(
        .rule, SnippetText.rename(entity.name, link.name, to: place.name),
        "the only new relationship to \(place.destination)")
    }
  }

  /// Which attribute of the source an attribute of the target may have been.
  func origins(
    of attribute: Attribute, in owner: String, _ mapping: Mapping
  ) -> [StepNeeds.Answer] {
    let objects = mapping.objects(into: owner)
    return objects.flatMap { object -> [(String, Likeness)] in
      guard let entity = source.entity(named: object.source) else { return [] }
      return source.allAttributes(of: entity).compactMap { old -> (String, Likeness)? in
        guard object.fate(of: old.name) == .dropped(isDeclared: false),
          let found = likeness(of: old, to: attribute, entity.name, owner)
        else { return nil }
        return (SnippetText.rename(entity.name, old.name, to: attribute.name), found)
      }
    }.answers
  }

  /// Which relationship of the source one of the target may have been.
  func origins(
    of link: Relationship, in owner: String, _ mapping: Mapping
  ) -> [StepNeeds.Answer] {
    mapping.objects(into: owner).flatMap { object -> [(String, Likeness)] in
      guard let entity = source.entity(named: object.source) else { return [] }
      return source.allRelationships(of: entity).compactMap { old -> (String, Likeness)? in
        guard object.fate(of: old.name) == .dropped(isDeclared: false) else { return nil }
        return likeness(of: old, to: link, mapping)
          .map { (SnippetText.rename(entity.name, old.name, to: link.name), $0) }
      }
    }.answers
  }

  /// How much one thing is like another, and what one says of it.
  typealias Likeness = (score: Int, note: String)

  private func likeness(
    of old: Attribute, to new: Attribute, _ from: String, _ to: String
  ) -> Likeness? {
    guard old.type == new.type, old.isStored, new.isStored, new.derivation == nil else {
      return nil
    }
    let share = samples.share(of: old, in: from, new, in: to)
    let isNear = Self.isNear(old.name, new.name)
    // Names are only a hint; stores of both versions without a value in common say more.
    guard share.map({ $0 > 0 }) ?? isNear, isNear || (share ?? 0) >= 50 else { return nil }
    let reasons =
      ["the same type"] + (isNear ? ["a similar name"] : [])
      + (share.map { ["\($0) % of the values alike"] } ?? [])
    return ((isNear ? 100 : 0) + (share ?? 0), reasons.joined(separator: ", "))
  }

  private func likeness(
    of old: Relationship, to new: Relationship, _ mapping: Mapping
  ) -> Likeness? {
    guard isSameKind(old, new, mapping), Self.isNear(old.name, new.name) else { return nil }
    return (100, "the same destination, a similar name")
  }

  private func isSameKind(
    _ old: Relationship, _ new: Relationship, _ mapping: Mapping
  ) -> Bool {
    old.name != new.name && old.isToMany == new.isToMany
      && mapping.objects(from: old.destination)?.target == new.destination
      && inverse(of: old, source)?.isToMany == inverse(of: new, target)?.isToMany
  }

  private func inverse(of link: Relationship, _ model: Model) -> Relationship? {
    link.inverseName.flatMap { model.relationship($0, ofEntity: link.destination) }
  }

  /// The attributes of the source that have no place.
  private func lost(of object: ObjectMapping) -> [Attribute] {
    source.entity(named: object.source).map(source.allAttributes)?.filter {
      object.fate(of: $0.name) == .dropped(isDeclared: false)
    } ?? []
  }

  /// The attributes of a target entity that no attribute of the source became.
  private func fresh(of object: ObjectMapping, _ entity: Entity) -> [Attribute] {
    target.allAttributes(of: entity).filter { attribute in
      switch object.attribute(named: attribute.name)?.origin {
      case .null: true
      case .value: object.attribute(named: attribute.name)?.rule == .default
      case .script:
        source.attribute(attribute.name, of: object.source) == nil
          && made[object.source]?.contains(attribute.name) != true
      case .source, .derivation, nil: false
      }
    }
  }

  private func freshLinks(of entity: Entity, _ mapping: Mapping) -> [Relationship] {
    target.allRelationships(of: entity).filter { link in
      guard !link.isTransient,
        let declared = target.relationship(named: link.name, of: entity)?.declaredBy
      else { return false }
      return mapping.links(of: PropertyReference(declared.name, link.name)).allSatisfy {
        $0.forward.source == nil && $0.backward.source == nil
      }
    }
  }

  private func entities(likely name: String, _ mapping: Mapping) -> [StepNeeds.Answer] {
    guard let entity = source.entity(named: name) else { return [] }
    let old = Set(source.allAttributes(of: entity).map(\.name))
    return mapping.added.compactMap { other -> (String, Likeness)? in
      guard let new = target.entity(named: other), new.isAbstract == entity.isAbstract else {
        return nil
      }
      let names = Set(target.allAttributes(of: new).map(\.name))
      let common = old.intersection(names).count
      let share = old.union(names).isEmpty ? 0 : 100 * common / old.union(names).count
      let isNear = Self.isNear(name, other)
      guard isNear || share >= 50 else { return nil }
      let reasons =
        (isNear ? ["a similar name"] : [])
        + (common > 0 ? ["\(common) of \(old.count) attributes have the same name"] : [])
      return (
        SnippetText.rename(name, to: other),
        ((isNear ? 100 : 0) + share, reasons.joined(separator: ", "))
      )
    }.answers
  }

  /// Whether two names mean the same, perhaps: one is in the other, or a few letters apart.
  static func isNear(_ first: String, _ second: String) -> Bool {
    let (a, b) = (plain(first), plain(second))
    guard a != b else { return true }
    let (short, long) = a.count < b.count ? (a, b) : (b, a)
    if short.count >= 3, String(long).contains(String(short)) { return true }
    // As many letters as one has more stand between the two at least.
    guard long.count - short.count <= long.count / 3 else { return false }
    return NearestName.distance(a, b) <= long.count / 3
  }

  private static func plain(_ name: String) -> [Character] {
    name.lowercased().filter { $0.isLetter || $0.isNumber }.map(\.self)
  }
}

extension [(String, LikelyRenamings.Likeness)] {
  /// More would be no choice: a model may have a hundred entities that are alike.
  private static let most = 3

  fileprivate var answers: [StepNeeds.Answer] {
    sorted { $0.1.score > $1.1.score }.prefix(Self.most).map { .init(.rule, $0.0, $0.1.note) }
  }
}
