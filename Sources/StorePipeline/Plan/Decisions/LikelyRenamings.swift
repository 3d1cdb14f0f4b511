internal import CoreDataStore
internal import Foundation
internal import StoreMigration

/// What may have become what: offered to the user with the reasons, never taken.
///
/// A model may have a thousand names without a place: what is compared often is prepared once.
final class LikelyRenamings {
  private let source: Model
  private let target: Model
  private let samples: StepNeeds.Samples
  private let mapping: Mapping
  private let unplaced: UnplacedProperties
  private var known = Known()
  private lazy var added = AddedEntities(mapping.added.compactMap(target.entity), target)
  private lazy var filled = AddedEntities(
    target.entities.filter { !$0.isAbstract && !mapping.added.contains($0.name) }, target)

  init(
    _ source: Model, _ target: Model, _ samples: StepNeeds.Samples, _ mapping: Mapping,
    claims: [ScriptClaim]
  ) {
    (self.source, self.target, self.samples, self.mapping) = (source, target, samples, mapping)
    unplaced = UnplacedProperties(source, target, mapping, claims: claims)
  }

  /// Where what a name stands for may have gone, or may have come from; the likeliest first.
  func answers(to name: String) -> [StepNeeds.Answer] {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard let entity = parts.first else { return [] }
    let object = mapping.objects(from: entity)
    if parts.count == 1 || object?.fate(of: parts.last ?? "") == .dropped(isDeclared: false) {
      let renamings = renamings(of: name)
      guard renamings.isEmpty, let object, let property = parts.dropFirst().first,
        let old = unplaced.lost(property, of: object)
      else { return renamings }
      return places(for: old, object).map(\.answer)
    }
    if let attribute = target.attribute(parts[1], of: parts[0]) {
      return origins(of: attribute, in: parts[0])
    }
    let link = target.entity(named: parts[0]).flatMap {
      target.relationship(named: parts[1], of: $0)?.relationship
    }
    return link.map { origins(of: $0, in: parts[0]) } ?? []
  }

  /// What may give a new attribute its values, of attributes that have no place any more.
  func givers(of attribute: Attribute, _ object: ObjectMapping) -> [StepNeeds.Answer] {
    if known.givers[object.source] == nil {
      let found = unplaced.lost(of: object).values.joined()
        .filter { likely(from: $0, object).isEmpty }
        .flatMap { old in places(for: old, object).map { (old, $0) } }
      known.givers[object.source] = Dictionary(grouping: found, by: { $0.1.name })
        .mapValues { givers in
          let new = name(givers[0].1.name)
          return givers.sorted { $0.0.key.common(with: new) > $1.0.key.common(with: new) }
            .map { $0.1 }
        }
    }
    return known.givers[object.source]?[attribute.name]?.map(\.answer) ?? []
  }

  /// New attributes that may take the values of one that has no place any more.
  private func places(
    for old: Named<Attribute>, _ object: ObjectMapping
  ) -> [(name: String, answer: StepNeeds.Answer)] {
    let new = unclaimed(of: old.item.type, object)
    let open = old.item.isOptional ? new.firstOptional : new.all
    return ranked(open, for: old, before: new.homeless).map(\.item).prefix(Likeness.most)
      .map { attribute in
        let text = SnippetText.map(object.target, attribute.name, SnippetText.from(old.name))
        let note = "\(object.target).\(attribute.name) is new" + unitNote(old.name, attribute.name)
        return (attribute.name, StepNeeds.Answer(.rule, text, note))
      }
  }

  /// The attributes that may take the values of an optional one, where all of them must have a
  /// value; none where there are many: nothing would be likely.
  func mandatoryPlaces(of old: String, _ object: ObjectMapping) -> [Attribute] {
    guard let old = unplaced.lost(old, of: object) else { return [] }
    let found = unclaimed(of: old.item.type, object)
    guard found.optional.contains(where: { $0.name == old.name }) else { return [] }
    return ranked(found.mandatory, for: old, before: found.optional).map(\.item.item)
  }

  /// The optional attributes for whose values an attribute is such a place.
  func optional(for place: Attribute, _ object: ObjectMapping) -> [Attribute] {
    let found = unclaimed(of: place.type, object)
    guard let new = found.mandatory.first(where: { $0.name == place.name }) else { return [] }
    return ranked(found.optional, for: new, before: found.mandatory).prefix(Likeness.most)
      .map(\.item.item)
  }

  /// An attribute that may be what another one was, or what it became.
  struct Other {
    let item: Attribute
    let isNear: Bool
    /// Whether the names have a word in common, and no rival has more of them.
    let isPartner: Bool
  }

  /// Those first that have more words in common with a name than its rivals have; of many, as they
  /// are.
  private func ranked(
    _ all: [Named<Attribute>], for one: Named<Attribute>, before rivals: [Named<Attribute>]
  ) -> [(item: Named<Attribute>, rank: Int)] {
    guard all.count <= 8 * Likeness.most, rivals.count <= 8 * Likeness.most else {
      return all.map { ($0, 0) }
    }
    return all.map { other in
      let own = one.key.common(with: other.key)
      let most = rivals.map { $0.key.common(with: other.key) }.max() ?? 0
      return (other, own < most ? own - most : own)
    }.sorted { $0.rank > $1.rank }
  }

  /// The new attributes of other types that may hold what one without a place held; where there
  /// are many, only those with a name like its own.
  func others(for old: Attribute, _ object: ObjectMapping) -> [Other] {
    guard let old = unplaced.lost(old.name, of: object),
      pairs(of: old.item.type, object).new[old.name] == nil
    else { return [] }
    let (lost, fresh) = unlike(object)
    return others(than: old, fresh, claimedBy: lost)
  }

  /// The attributes of other types without a place that may be what a new one was.
  func others(into new: Attribute, _ object: ObjectMapping) -> [Other] {
    let (lost, fresh) = unlike(object)
    guard let new = fresh.first(where: { $0.name == new.name }) else { return [] }
    return others(than: new, lost, claimedBy: fresh)
  }

  /// Those with a name like that of a rival are its own.
  private func others(
    than one: Named<Attribute>, _ all: [Named<Attribute>], claimedBy rivals: [Named<Attribute>]
  ) -> [Other] {
    let areMany = all.count > 4 * Likeness.most
    let open = all.filter { other in
      one.item.type != other.item.type
        && (one.key.isNear(other.key)
          || !areMany && !rivals.contains { $0.key.isNear(other.key) })
    }
    return ranked(open, for: one, before: rivals).map { other, rank in
      Other(item: other.item, isNear: one.key.isNear(other.key), isPartner: rank > 0)
    }
  }

  /// The new attributes that are like none of the source's.
  func unlike(of object: ObjectMapping) -> [Attribute] { unlike(object).fresh.map(\.item) }

  /// What is like nothing of its type in the other version.
  private func unlike(
    _ object: ObjectMapping
  ) -> (lost: [Named<Attribute>], fresh: [Named<Attribute>]) {
    if let found = known.unlike[object.source] { return found }
    let found = (
      lost: unplaced.lost(of: object).flatMap { type, all in
        all.filter { $0.isStored && pairs(of: type, object).new[$0.name] == nil }
      }.sorted { $0.name < $1.name },
      fresh: unplaced.fresh(of: object).flatMap { type, all in
        all.filter {
          $0.isStored && !$0.isDerived && pairs(of: type, object).old[$0.name] == nil
        }
      }.sorted { $0.name < $1.name }
    )
    known.unlike[object.source] = found
    return found
  }

  /// What is like nothing of the other version, of a type.
  private func unclaimed(of type: AttributeType, _ object: ObjectMapping) -> Unclaimed {
    let key = [object.source, type.name]
    if let found = known.unclaimed[key] { return found }
    let pairs = pairs(of: type, object)
    var found = Unclaimed()
    found.all = (unplaced.fresh(of: object)[type] ?? []).filter { pairs.old[$0.name] == nil }
    found.firstOptional = Array(
      found.all.lazy.filter(\.item.isOptional).prefix(4 * Likeness.most))
    found.homeless = (unplaced.lost(of: object)[type] ?? []).filter { pairs.new[$0.name] == nil }
    let homeless = found.homeless.filter(\.item.isOptional)
    // Values that all objects have come first where all must have one.
    let claims = found.homeless.count - homeless.count
    if found.all.count <= Likeness.most, found.all.count > claims,
      homeless.count <= 4 * Likeness.most,
      found.all.allSatisfy({ !$0.item.isOptional })
    {
      (found.optional, found.mandatory) = (homeless, found.all)
    }
    known.unclaimed[key] = found
    return found
  }

  /// What an entity, or a property of one, of the source may be called now; the likeliest first.
  private func renamings(of name: String) -> [StepNeeds.Answer] {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard let entity = source.entity(named: parts[0]) else { return [] }
    guard parts.count == 2 else { return added.answers(to: entity, source) + merges(of: entity) }
    guard let object = mapping.objects(from: parts[0]),
      let new = target.entity(named: object.target)
    else { return [] }
    if source.attribute(named: parts[1], of: entity) != nil {
      return unplaced.lost(parts[1], of: object).map { likely(from: $0, object) } ?? []
    }
    guard let link = source.relationship(named: parts[1], of: entity)?.relationship else {
      return []
    }
    let own = renamings(of: link, of: entity, into: new)
    // Links have two ends: a new name at the other one settles both.
    guard own.isEmpty, let inverse = link.inverseName,
      let far = source.entity(named: link.destination),
      let back = source.relationship(named: inverse, of: far)?.relationship,
      let next = mapping.objects(from: far.name).flatMap({ target.entity(named: $0.target) })
    else { return own }
    return renamings(of: back, of: far, into: next)
  }

  /// The entities whose objects those of one that is gone may join.
  private func merges(of entity: Entity) -> [StepNeeds.Answer] {
    guard mapping.fate(of: entity.name) == .dropped(isDeclared: false) else { return [] }
    let ancestors = source.lineage(of: entity).dropFirst().map { ancestor in
      mapping.objects(from: ancestor.name)?.target ?? ancestor.name
    }
    return filled.merges(of: entity, source, ancestors: Set(ancestors))
  }

  private func likely(
    from old: Named<Attribute>, _ object: ObjectMapping
  ) -> [StepNeeds.Answer] {
    let found = pairs(of: old.item.type, object).new[old.name] ?? []
    let best = found.sorted { $0.1.score > $1.1.score }.prefix(Likeness.most)
    return best.map { (SnippetText.rename(object.source, old.name, to: $0.0), $0.1) }.answers
  }

  private func renamings(
    of link: Relationship, of entity: Entity, into new: Entity
  ) -> [StepNeeds.Answer] {
    guard let kind = unplaced.kind(of: link) else { return [] }
    let places = (unplaced.freshLinks(of: new)[kind] ?? []).filter { $0.name != link.name }
    let old = name(link.name)
    let likely = places.lazy.filter { old.isNear($0.key) }.prefix(Likeness.most)
      .map { (SnippetText.rename(entity.name, link.name, to: $0.name), Likeness.ofLinks) }
    guard likely.isEmpty else { return Array(likely).answers }
    let others = unplaced.freshLinks(of: new).values.joined().filter {
      $0.item.destination == kind.destination && $0.item.isToMany != link.isToMany
        && $0.name != link.name && old.isNear($0.key)
    }
    guard others.isEmpty else {
      // Of many links, one stays.
      let one = "one { \"\(entity.name).\(link.name)\", keep = \"first\" }"
      return others.sorted { $0.name < $1.name }
        .map { other in
          let rename = SnippetText.rename(entity.name, link.name, to: other.name)
          return (link.isToMany ? "\(rename), \(one)" : rename, Likeness.ofLinks)
        }
        .answers
    }
    guard places.count == 1, let place = places.first else { return [] }
    let lost = unplaced.lostLinks(of: entity.name).filter {
      $0.item.isToMany == link.isToMany && $0.item.destination == link.destination
    }
    guard lost.count <= 1 else { return [] }
    return [
      StepNeeds.Answer(
        .rule, SnippetText.rename(entity.name, link.name, to: place.name),
        "the only new relationship to \(place.item.destination)")
    ]
  }

  /// Which attribute of the source an attribute of the target may have been.
  func origins(of attribute: Attribute, in owner: String) -> [StepNeeds.Answer] {
    let new = unplaced.named(attribute)
    return mapping.objects(into: owner).flatMap { object in
      let fresh = unplaced.fresh(of: object)[attribute.type] ?? []
      let isFresh = fresh.sortedFind(new.name, by: \.name) != nil
      let found =
        isFresh
        ? pairs(of: attribute.type, object).old[new.name] ?? []
        : (unplaced.lost(of: object)[attribute.type] ?? []).compactMap { old in
          likeness(of: old, to: new, object).map { (old.name, $0) }
        }
      return found.map { (SnippetText.rename(object.source, $0, to: attribute.name), $1) }
    }.answers
  }

  /// Which relationship of the source one of the target may have been.
  func origins(of link: Relationship, in owner: String) -> [StepNeeds.Answer] {
    let (new, newKind) = (name(link.name), unplaced.kind(ofNew: link))
    return mapping.objects(into: owner).flatMap { object in
      unplaced.lostLinks(of: object.source).lazy
        .filter { old in
          old.key.isNear(new) && old.name != link.name
            && self.unplaced.kind(of: old.item) == newKind
        }
        .map { (SnippetText.rename(object.source, $0.name, to: link.name), Likeness.ofLinks) }
    }.answers
  }

  /// What is alike of the attributes of a type that have no place and those that are new: each is
  /// compared with each once.
  private func pairs(of type: AttributeType, _ object: ObjectMapping) -> Pairs {
    let key = [object.source, type.name]
    if let found = known.pairs[key] { return found }
    var pairs = Pairs()
    let fresh = unplaced.fresh(of: object)[type] ?? []
    let outlines = fresh.map(\.key.outline)
    for old in unplaced.lost(of: object)[type] ?? [] {
      let outline = old.key.outline
      for (place, other) in outlines.enumerated()
      where samples.haveBoth || outline.mayBeNear(other) {
        let new = fresh[place]
        guard let likeness = likeness(of: old, to: new, object) else { continue }
        pairs.new[old.name, default: []].append((new.name, likeness))
        pairs.old[new.name, default: []].append((old.name, likeness))
      }
    }
    known.pairs[key] = pairs
    return pairs
  }

  private func likeness(
    of old: Named<Attribute>, to new: Named<Attribute>, _ object: ObjectMapping
  ) -> Likeness? {
    guard old.isStored, new.isStored, !new.isDerived else { return nil }
    let isNear = old.key.isNear(new.key)
    let share = samples.haveBoth ? share(of: old, new, object) : nil
    // Names are only a hint; stores of both versions without a value in common say more.
    guard share.map({ $0 > 0 }) ?? isNear, isNear || (share ?? 0) >= 50 else { return nil }
    let name = old.name == new.name ? "the same name" : "a similar name"
    let reasons =
      ["the same type"] + (isNear ? [name] : [])
      + (share.map { ["\($0) % of the values alike"] } ?? [])
    let unit = share == nil ? unitNote(old.name, new.name) : ""
    let score = isNear ? 100 + min(old.key.common(with: new.key), 20) : 0
    return Likeness(score + (share ?? 0), reasons.joined(separator: ", ") + unit)
  }

  private func share(
    of old: Named<Attribute>, _ new: Named<Attribute>, _ object: ObjectMapping
  ) -> Int? {
    let (first, second) = ([object.source, old.name], [object.target, new.name])
    let before = known.before[first] ?? samples.before(old.name, of: object.source)
    known.before[first] = .some(before)
    let after = known.after[second] ?? samples.after(new.name, of: object.target)
    known.after[second] = .some(after)
    return StepNeeds.Samples.share(of: before, in: after)
  }

  /// A name as it is compared.
  func name(_ text: String) -> PlainName { unplaced.name(text) }

  /// Whether two names mean the same, perhaps.
  func isNear(_ first: String, _ second: String) -> Bool { name(first).isNear(name(second)) }
}

// What has been compared already.
extension LikelyRenamings {
  private typealias Named<Item: Property> = UnplacedProperties.Named<Item>

  /// What has been found of the mapping, by the names of entities of the source, or of the target.
  private struct Known {
    var pairs: [[String]: Pairs] = [:]
    var unclaimed: [[String]: Unclaimed] = [:]
    var unlike: [String: (lost: [Named<Attribute>], fresh: [Named<Attribute>])] = [:]
    var givers: [String: [String: [(name: String, answer: StepNeeds.Answer)]]] = [:]
    var before: [[String]: [String]?] = [:]
    var after: [[String]: Set<String>?] = [:]
  }

  /// The names that are like another one, in order: of each old name the new ones, and of each new
  /// name the old ones.
  private struct Pairs {
    var new: [String: [(String, Likeness)]] = [:]
    var old: [String: [(String, Likeness)]] = [:]
  }

  /// Attributes of a type that are like none of the other version.
  private struct Unclaimed {
    /// The new ones, and the first of them that need no value.
    var (all, firstOptional): ([Named<Attribute>], [Named<Attribute>]) = ([], [])
    /// The old ones that have no place in the target.
    var homeless: [Named<Attribute>] = []
    /// Optional ones without a place, and new ones that must have a value: where there are few,
    /// each of these may take the values of each of those.
    var (optional, mandatory): ([Named<Attribute>], [Named<Attribute>]) = ([], [])
  }
}
