internal import CoreDataStore

/// Finds which links of the source each relationship of the target takes over.
///
/// Core Data carries over what holds links, not links: the column of a relationship to one, the
/// hidden column of one to many without an inverse, and the table of pairs by the relationship that
/// names it. Where that is new it stays empty, although the inverse may have been there: "a new
/// to-one is NULL". A pipeline file that speaks of either end means the links.
struct LinkSources {
  typealias End = SourceLink.End

  /// A relationship of the target, perhaps with its inverse, and links that it takes over.
  struct Part {
    let end: End
    let inverse: End?
    /// Nil where it has none.
    var source: SourceLink?
    /// Whether in some direction the links may meet those of another part.
    var meetsForward = false
    var meetsBackward = false
  }

  /// A link of the source, and by which end of the target's relationship it was found.
  private typealias Found = (link: SourceLink, isFoundForward: Bool, isFoundBackward: Bool)

  private let context: MappingContext
  private let pairs: [String: [PropertyPairing]]
  private let dropped: Set<PropertyReference>
  /// The relationships of the target that name a table of pairs.
  private let masters: Set<PropertyReference>

  init(_ pairs: [PropertyPairing], in context: MappingContext) {
    self.context = context
    self.pairs = Dictionary(grouping: pairs, by: \.to.name)
    dropped = Self.dropped(pairs, in: context.source)
    masters = Set((try? StoreSchema(of: context.target))?.joinTables.map(\.master) ?? [])
  }

  /// A relationship of the target with what it takes over: in several parts where entities are
  /// merged, and where each column of one to one comes from elsewhere.
  func parts(of end: End, _ inverse: End?) -> [Part] {
    let all = linked(end, inverse)
    if isSpokenOf(end, inverse, all) { return parts(end, inverse, leading(all)) }
    switch LinkStorage(
      isToMany: end.relationship.isToMany, inverseIsToMany: inverse?.relationship.isToMany)
    {
    case .ownColumn:
      let own = all.filter(\.isFoundForward)
      // "A new to-one that is the inverse of a to-many which existed without an inverse takes over
      // the old hidden key column."
      return parts(end, inverse, own.isEmpty ? all.filter(Self.isHidden) : own)
    case .farColumn: return parts(end, inverse, all.filter { $0.link.storage == .farColumn })
    case .bothColumns: return ofTwoColumns(end, inverse, all)
    case .joinTable:
      let isMaster = masters.contains(end.reference)
      return parts(end, inverse, all.filter { isMaster ? $0.isFoundForward : $0.isFoundBackward })
    }
  }

  /// Where a relationship and its inverse were two separate ones before, the one to one object
  /// knows better; the other's links are left behind.
  private func leading(_ found: [Found]) -> [Found] {
    let forward = found.filter(\.isFoundForward)
    return forward.allSatisfy(\.isFoundBackward) ? found : forward
  }

  /// Whether links stand in the column of a relationship to many that has no inverse.
  private static func isHidden(_ found: Found) -> Bool {
    found.link.forward == nil && found.link.backward?.relationship.isToMany == true
  }

  private func ofTwoColumns(_ end: End, _ inverse: End?, _ all: [Found]) -> [Part] {
    guard let inverse, inverse.reference != end.reference,
      !all.allSatisfy({ $0.isFoundForward && $0.isFoundBackward })
    else { return parts(end, inverse, all) }
    return parts(end, nil, all.filter(\.isFoundForward))
      + parts(
        inverse, nil,
        all.filter(\.isFoundBackward).map { found in
          let turned = SourceLink(forward: found.link.backward, backward: found.link.forward)
          return (turned, isFoundForward: true, isFoundBackward: false)
        })
  }

  private func parts(_ end: End, _ inverse: End?, _ found: [Found]) -> [Part] {
    guard !found.isEmpty else { return [Part(end: end, inverse: inverse)] }
    return found.map { source in
      Part(
        end: end, inverse: inverse, source: source.link,
        meetsForward: found.count > 1 && !source.isFoundForward,
        meetsBackward: found.count > 1 && !source.isFoundBackward)
    }
  }

  /// Whether the file names one of these relationships.
  private func isSpokenOf(_ end: End, _ inverse: End?, _ found: [Found]) -> Bool {
    let old = found.flatMap { [$0.link.forward?.reference, $0.link.backward?.reference] }
    let new = [end, inverse].compactMap(\.self)
    return (old + [nil]).contains { old in
      new.contains { context.choice(old, $0.reference) != nil }
    }
      || new.contains { end in
        pairs(having: end).contains { $0.rule(of: end.reference.property) == .renamedInFile }
      }
  }
}

// The links of the source.
extension LinkSources {
  /// The links of the source that become those of a relationship, by either of its ends.
  private func linked(_ end: End, _ inverse: End?) -> [Found] {
    let forward = found(by: end).map {
      SourceLink(forward: $0, backward: $0.inverse(in: context.source))
    }
    guard let inverse, inverse.reference != end.reference else {
      return forward.map { ($0, isFoundForward: true, isFoundBackward: false) }
    }
    let backward = found(by: inverse).map {
      SourceLink(forward: $0.inverse(in: context.source), backward: $0)
    }
    return (forward + backward.filter { !forward.contains($0) })
      .map { ($0, forward.contains($0), backward.contains($0)) }
  }

  /// The pairs of entities whose target has a relationship, by inheritance perhaps.
  func pairs(having end: End) -> [PropertyPairing] {
    guard let owner = context.target.entity(named: end.reference.entity) else { return [] }
    return context.target.descendants(of: owner).flatMap { pairs[$0.name, default: []] }
  }

  /// The relationships of the source that became this one, for some of its objects perhaps.
  private func found(by end: End) -> [End] {
    var found: [End] = []
    var known: Set<PropertyReference> = []
    for pair in pairs(having: end) {
      guard let name = pair.sources[end.reference.property],
        let old = End(name, of: pair.from, in: context.source),
        known.insert(old.reference).inserted,
        context.leadsOn(old.relationship, to: end.relationship), !isDropped(old)
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
