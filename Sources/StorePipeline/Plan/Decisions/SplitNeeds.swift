internal import CoreDataStore
internal import StoreMigration

// Attributes that have moved to an entity of their own.
extension StepNeeds {
  /// Offers an object of a new entity where it has attributes, or links, like those without a
  /// place, and a relationship leads to it.
  mutating func settleSplits() {
    settleSplits { $0.split($1, by: $2, to: $3) }
    // Links have two ends: what one of them gives to a new object is not given to another one.
    settleSplits { $0.joined($1, by: $2, to: $3) }
  }

  private mutating func settleSplits(
    _ find: (StepNeeds, ObjectMapping, Relationship, Entity) -> Link?
  ) {
    for object in mapping.objects where !object.isAbstract {
      guard let entity = target.entity(named: object.target) else { continue }
      for link in target.allRelationships(of: entity) where !link.isTransient {
        guard mapping.added.contains(link.destination),
          let far = target.entity(named: link.destination), !far.isAbstract,
          !isChosen(link.name, of: object.source)
        else { continue }
        if let moved = find(self, object, link, far) { offer(moved, object) }
      }
    }
  }

  /// What of an object may move to a new one; nil where nothing is likely to.
  private func split(
    _ object: ObjectMapping, by link: Relationship, to far: Entity
  ) -> Link? {
    let values = values(moved: object, to: far, by: link)
    let key = key(values, link, far)
    // Of objects that share one, each may have a link of its own.
    let carried = key == nil ? carried(to: far, by: link, object) : [:]
    let isOwner = isOwner(by: link, of: far, carried)
    let isOpen =
      values.isEmpty
      ? isOwner && carried.values.contains { self.isOpen($0, link, object) }
      : isOwner || !link.isToMany
    return isOpen ? Self.moving(values, carried, by: link, to: far, key: key) : nil
  }

  /// Objects in place of links to many: one for each object that a link led to.
  private func joined(
    _ object: ObjectMapping, by link: Relationship, to far: Entity
  ) -> Link? {
    guard link.isToMany, let entity = source.entity(named: object.source),
      links[object.source]?.contains(where: { $0.relationship.name == link.name }) != true
    else { return nil }
    let found = source.allRelationships(of: entity).compactMap { old -> Link? in
      // Objects of the same entity are not all there while the script runs.
      guard old.isToMany, old.destination != object.source,
        Self.parameter(old.name) == old.name, isOpen(old.name, link, object),
        case .dropped? = object.fate(of: old.name)
      else { return nil }
      let new = mapping.objects(from: old.destination)?.target
      let places = target.allRelationships(of: far).filter {
        $0.destination == new && !$0.isToMany && !$0.isTransient && $0.name != link.inverseName
      }
      let carried = places.count == 1 ? [places[0].name: old.name] : [:]
      guard !carried.isEmpty, isOwner(by: link, of: far, carried) else { return nil }
      var moving = Self.moving([:], carried, by: link, to: far)
      moving.each = old.name
      return moving
    }
    guard found.count > 1 else { return found.first }
    return found.first { other in
      other.each.map { likely.isNear($0, link.name) || likely.isNear($0, far.name) } == true
    }
  }

  private static func moving(
    _ values: [String: String], _ carried: [String: String], by link: Relationship,
    to far: Entity, key: String? = nil
  ) -> Link {
    let names = (Array(values.values) + carried.values).sorted()
    return Link(
      relationship: link, destination: far, old: nil,
      why: "What \(Plural.list(names)) held is in \(far.name) from now on.", isOffered: true,
      values: values, carried: carried, key: key)
  }

  /// Whether a link without a place may move by itself: the user does not give it up, and its other
  /// end does not move.
  private func isOpen(_ old: String, _ link: Relationship, _ object: ObjectMapping) -> Bool {
    guard answers["\(object.source).\(old)"]?.kind != .rule,
      let before = source.relationship(old, ofEntity: object.source)
    else { return false }
    return !links.contains { entity, all in
      all.contains { other in
        let isOther = entity != object.source || other.relationship != link
        return isOther && other.destination.name == link.destination
          && other.carried.values.contains { $0 == before.inverseName }
      }
    }
  }

  /// Whether the user has said what moves to the object of a link.
  private func isChosen(_ link: String, of entity: String) -> Bool {
    links[entity]?.contains {
      $0.relationship.name == link && !$0.isOffered
        && !($0.values.isEmpty && $0.carried.isEmpty)
    } == true
  }

  /// Whether what a relationship leads to belongs to one object, and all other links that it must
  /// have move to it.
  private func isOwner(
    by link: Relationship, of far: Entity, _ carried: [String: String]
  ) -> Bool {
    let links = target.allRelationships(of: far)
    let inverse = links.first { $0.name == link.inverseName }
    return inverse?.isToMany == false
      && links.allSatisfy {
        $0.isOptional || $0.isTransient || $0.name == link.inverseName || carried[$0.name] != nil
      }
  }

  /// Which relationships of the source that have no place a new object may take over, by its own:
  /// those with the name, or the only one to the objects there.
  private func carried(
    to far: Entity, by link: Relationship, _ object: ObjectMapping
  ) -> [String: String] {
    guard let entity = source.entity(named: object.source) else { return [:] }
    // One that is given up by the name of its inverse is dropped by declaration.
    let lost = source.allRelationships(of: entity).filter { old in
      guard case .dropped? = object.fate(of: old.name) else { return false }
      return !old.isToMany && Self.parameter(old.name) == old.name
    }
    let places = target.allRelationships(of: far).filter { place in
      !place.isToMany && !place.isTransient && place.name != link.inverseName
    }
    var carried: [String: String] = [:]
    for place in places {
      let alike = lost.filter { mapping.objects(from: $0.destination)?.target == place.destination }
      let rivals = places.filter { $0.destination == place.destination }
      let only = alike.count == 1 && rivals.count == 1 ? alike.first : nil
      carried[place.name] = (alike.first { $0.name == place.name } ?? only)?.name
    }
    return carried
  }

  /// Which attributes of a new entity are like those of the source that have no place.
  private func values(
    moved object: ObjectMapping, to far: Entity, by link: Relationship
  ) -> [String: String] {
    guard let entity = source.entity(named: object.source) else { return [:] }
    let rivals = rivals(of: link, object)
    let lost = source.allAttributes(of: entity).filter { attribute in
      object.fate(of: attribute.name) == .dropped(isDeclared: false)
        && Self.parameter(attribute.name) == attribute.name
        && !rivals.contains { likely.isNearer(attribute.name, $0, than: link.name) }
    }
    let places = target.allAttributes(of: far).filter { $0.isStored && $0.derivation == nil }
    var values = named(lost, places, link, far)
    for attribute in places where values[attribute.name] == nil {
      let alike = lost.filter { $0.type == attribute.type && !values.values.contains($0.name) }
      let isOnly =
        alike.count == 1
        && (attribute.type == .binary
          || !places.contains { $0 != attribute && $0.type == attribute.type })
        && !hasNearerPlace(alike[0].name, entity, object)
      let found =
        alike.first { $0.name == attribute.name }
        ?? alike.first { isOnly || likely.isNear($0.name, attribute.name) }
      values[attribute.name] = found?.name
    }
    // An attribute whose name is that of the link, or of the entity, gives the new object its own.
    for old in lost
    where !values.values.contains(old.name)
      && [link.name, far.name].contains(where: { likely.isNear(old.name, $0) })
    {
      let open = places.filter { $0.type == old.type && values[$0.name] == nil }
      if let place = place(among: open, of: far) { values[place.name] = old.name }
    }
    return values.merging(rest(of: lost, in: places, values, entity, object)) { found, _ in found }
  }

  /// The other relationships of an object that lead to the same entity.
  private func rivals(of link: Relationship, _ object: ObjectMapping) -> [String] {
    guard let entity = target.entity(named: object.target) else { return [] }
    return target.allRelationships(of: entity)
      .filter { $0.destination == link.destination && $0.name != link.name }.map(\.name)
  }

  /// The last attribute of a type, which goes to the last place, where more of an object moves.
  private func rest(
    of lost: [Attribute], in places: [Attribute], _ values: [String: String], _ entity: Entity,
    _ object: ObjectMapping
  ) -> [String: String] {
    guard values.count > 1 else { return [:] }
    let left = lost.filter { !values.values.contains($0.name) }
    let open = places.filter { values[$0.name] == nil }
    var rest: [String: String] = [:]
    for old in left where left.count(where: { $0.type == old.type }) == 1 {
      let alike = open.filter { $0.type == old.type }
      guard alike.count == 1, !hasNearerPlace(old.name, entity, object) else { continue }
      rest[alike[0].name] = old.name
    }
    return rest
  }

  /// The attribute of a new object that an old one gives it which names the object; nil where
  /// several are as likely.
  private func place(among open: [Attribute], of far: Entity) -> Attribute? {
    let needed = open.filter { !$0.isOptional && $0.defaultValue == nil }
    let present = open.filter { !$0.isOptional }
    let best = [needed, present, open].first { !$0.isEmpty } ?? []
    return open.first { isUnique($0.name, of: far.name) }
      ?? (needed.count == 1 ? needed[0] : nil)
      ?? open.first { ["name", "title"].contains($0.name) }
      ?? (best.count == 1 ? best[0] : nil)
  }

  /// Whether the object itself has a new attribute with a name like that of an old one.
  private func hasNearerPlace(_ old: String, _ entity: Entity, _ object: ObjectMapping) -> Bool {
    let places = target.entity(named: object.target).map(target.allAttributes) ?? []
    return places.contains { place in
      source.attribute(named: place.name, of: entity) == nil && likely.isNear(old, place.name)
    }
  }

  /// What names an object: a class of a pupil, and not the name of the pupil, is the name of the
  /// class.
  private func named(
    _ lost: [Attribute], _ places: [Attribute], _ link: Relationship, _ far: Entity
  ) -> [String: String] {
    guard let place = places.first(where: { ["name", "title"].contains($0.name) }) else {
      return [:]
    }
    let old = lost.first { old in
      old.type == place.type && old.name != place.name
        && !places.contains { $0.name == old.name }
        && [link.name, far.name].contains { likely.isNear(old.name, $0) }
    }
    return old.map { [place.name: $0.name] } ?? [:]
  }

  /// The attribute of a new entity by which objects of the source that have the same value share
  /// one object; nil where each has its own.
  private func key(
    _ values: [String: String], _ link: Relationship, _ far: Entity
  ) -> String? {
    let inverse = link.inverseName.flatMap { target.relationship($0, ofEntity: far.name) }
    guard inverse?.isToMany != false else { return nil }
    let unique = target.lineage(of: far).flatMap(\.uniquenessConstraints)
      .first { $0.count == 1 && values[$0[0]] != nil }?.first
    let key = unique ?? (values.count == 1 ? values.keys.first : nil)
    // Scripts find no object by its bytes.
    return key.flatMap { name in
      target.attribute(name, of: far.name)?.type.facts.form == .bytes ? nil : name
    }
  }

  /// The name of the parameter that receives the attribute: "place" for the part "place.city" of a
  /// composite attribute.
  static func parameter(_ name: String) -> String? {
    let whole = String(name.prefix { $0 != "." })
    // A parameter of that name is the context.
    return LuaText.key(whole) == whole && whole != "ctx" ? whole : nil
  }

  private mutating func offer(_ moved: Link, _ object: ObjectMapping) {
    let (link, far) = (moved.relationship, moved.destination)
    let all = moved.values.merging(moved.carried) { value, _ in value }
    let names = all.values.sorted()
    let list = all.sorted { $0.value < $1.value }
      .map { $0 == $1 ? $0 : "\($0) from \($1)" }.joined(separator: ", ")
    let sharing = moved.key.flatMap { moved.values[$0] }.map { shared in
      let others = names.filter { $0 != shared }
      return "; objects with the same \(shared) share one"
        + (others.isEmpty ? "" : ", and the \(Plural.list(others)) of the first counts")
    }
    let what = moved.each.map { "for each of \($0)" } ?? "with \(list)"
    let way = rivals(of: link, object).isEmpty ? "" : " for \(link.name)"
    let answer = StepNeeds.Answer(
      .script, "new.\(far.name)\(way) \(what)",
      "create, in the script of \(object.source)\(sharing ?? "")")
    let isLikely = moved.values.contains { new, old in
      [new, link.name, far.name].contains { likely.isNear(old, $0) }
        || target.attribute(new, of: far.name)?.type == .binary
    }
    let isChosen = answers.values.contains { $0.kind == .script && $0.text == answer.text }
    let known = links[object.source]?.firstIndex { $0.relationship.name == link.name }
    if let known, let old = links[object.source]?[known] {
      links[object.source]?[known].values = moved.values
      links[object.source]?[known].carried = moved.carried
      links[object.source]?[known].key = moved.key
      links[object.source]?[known].isOffered = old.isOffered && !isChosen
    } else {
      var moved = moved
      moved.isOffered = !isChosen
      scripts[object.source] = scripts[object.source] ?? []
      links[object.source, default: []].append(moved)
    }
    for (place, known) in decisions.enumerated() where !known.isUnique {
      guard names.contains(where: { known.name == "\(object.source).\($0)" }) else { continue }
      decisions[place] = StepNeeds.Decision(
        step: known.step, name: known.name, why: known.why,
        answers: isLikely ? [answer] + known.answers : known.answers.inserting(answer))
    }
    if let each = moved.each { joinDecisions(each, of: object.source) }
  }

  /// Leaves one decision for the two ends of links between many objects: an answer to it settles
  /// both.
  private mutating func joinDecisions(_ name: String, of entity: String) {
    guard decisions.contains(where: { $0.name == "\(entity).\(name)" }),
      let link = source.relationship(name, ofEntity: entity), link.inverseName != name,
      let inverse = source.inverse(of: link), inverse.relationship.isToMany
    else { return }
    let other = "\(inverse.declaredBy.name).\(inverse.relationship.name)"
    let answers = decisions.filter { $0.name == other }.flatMap(\.answers)
    guard answers.allSatisfy({ $0.text.hasPrefix("drop {") }) else { return }
    decisions.removeAll { $0.name == other }
    joined.insert(other)
  }
}

extension Attribute {
  /// Whether a new object must be given a value.
  fileprivate var isNeeded: Bool { !isOptional && defaultValue == nil }
}

extension [StepNeeds.Answer] {
  /// Another answer, before what loses data.
  fileprivate func inserting(_ answer: StepNeeds.Answer) -> Self {
    var all = self
    all.insert(answer, at: firstIndex { $0.text.hasPrefix("drop {") } ?? endIndex)
    return all
  }
}
