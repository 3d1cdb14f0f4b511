/// Compares the entities of two versions.
struct EntityComparison {
  private let source: Model
  private let target: Model
  private let match: RenamingMatch
  private let sourceHashes: VersionHashes
  private let targetHashes: VersionHashes
  private let mergedRoots: [String: [String]]

  init(from source: Model, to target: Model) {
    self.source = source
    self.target = target
    match = RenamingMatch(from: source, to: target)
    sourceHashes = VersionHashes(of: source)
    targetHashes = VersionHashes(of: target)
    mergedRoots = Self.mergedRoots(source, target, match)
  }

  /// Every entity of both versions, by name.
  func differences() -> [EntityDifference] {
    let gone = source.entities.filter { match.targets[$0.name] == nil }
    let all = target.entities.map(difference) + gone.map { alone($0, .removed) }
    return all.sorted { NameOrder.precedes($0.name, $1.name) }
  }

  /// For each root of the target the roots of the source whose entities it holds, when several.
  private static func mergedRoots(
    _ source: Model, _ target: Model, _ match: RenamingMatch
  ) -> [String: [String]] {
    var roots: [String: Set<String>] = [:]
    for entity in target.entities {
      guard let old = match.sources[entity.name].flatMap(source.entity(named:)) else { continue }
      roots[target.root(of: entity).name, default: []].insert(source.root(of: old).name)
    }
    return roots.filter { $0.value.count > 1 }.mapValues { $0.sortedByName() }
  }

  private func alone(_ entity: Entity, _ change: Change) -> EntityDifference {
    EntityDifference(
      name: entity.name, change: change, from: nil, aspects: [], properties: [],
      changesHash: true,
      obstacle: change == .added
        ? ambiguity(entity, "destination entity", match.ambiguousTargets, target.entities)
        : ambiguity(entity, "source entity", match.ambiguousSources, source.entities))
  }

  private func difference(_ entity: Entity) -> EntityDifference {
    guard let old = match.sources[entity.name].flatMap(source.entity(named:)) else {
      return alone(entity, .added)
    }
    let hash = sourceHashes.entities[old.name]
    let comparison = PropertyComparison(
      source: source, target: target, match: match, from: old, to: entity,
      areEqual: hash != nil && hash == targetHashes.entities[entity.name])
    let properties = comparison.differences()
    let aspects = aspects(old, entity)
    let isSame = aspects.isEmpty && properties.isEmpty
    return EntityDifference(
      name: entity.name,
      change: old.name != entity.name ? .renamed : isSame ? .same : .changed,
      from: old.name == entity.name ? nil : old.name, aspects: aspects, properties: properties,
      changesHash: hashChanges(old, entity, isSame: isSame),
      obstacle: obstacle(entity) ?? comparison.inheritedAmbiguity)
  }

  /// Where a hash cannot be known, any difference counts as one.
  private func hashChanges(_ old: Entity, _ new: Entity, isSame: Bool) -> Bool {
    guard old.name == new.name else { return true }
    guard let before = sourceHashes.entities[old.name], let after = targetHashes.entities[new.name]
    else { return !isSame }
    return before != after
  }

  private func aspects(_ old: Entity, _ new: Entity) -> [Aspect] {
    [
      parent(old, new),
      Aspect("abstract", old.isAbstract, new.isAbstract),
      Aspect("uniqueness", old.uniquenessConstraints, new.uniquenessConstraints, words: Self.words),
      Aspect("hash modifier", old.hashModifier, new.hashModifier),
      Aspect("class", old.className, new.className),
      Aspect("indexes", old.fetchIndexes, new.fetchIndexes) {
        Self.words($0.map { [$0.description] })
      },
      Aspect("compound indexes", old.compoundIndexes, new.compoundIndexes, words: Self.words),
      Aspect("user info", old.userInfo, new.userInfo) { Self.words([$0.keys.sortedByName()]) },
    ].compactMap(\.self)
  }

  /// A parent that was only renamed is no difference.
  private func parent(_ old: Entity, _ new: Entity) -> Aspect? {
    guard !match.joins(old.parent, new.parent) else { return nil }
    return Aspect(
      name: "parent", from: old.parent.map { "\"\($0)\"\(match.fate(of: $0))" } ?? "none",
      to: new.parent.map { "\"\($0)\"" } ?? "none")
  }

  private static func words(_ lists: [[String]]) -> String {
    let words = lists.map { $0.joined(separator: " + ") }.joined(separator: ", ")
    return words.isEmpty ? "none" : words
  }

  /// Why an entity cannot be where it now stands, or is like another.
  ///
  /// Apple: "if two existing entities don't share a common parent in the source, they can't share
  /// a common parent in the destination."
  private func obstacle(_ entity: Entity) -> String? {
    let root = target.root(of: entity).name
    if let roots = mergedRoots[root] { return InferenceRules.merging(roots, into: root) }
    return ambiguity(entity, "destination entity", match.ambiguousTargets, target.entities)
  }

  private func ambiguity(
    _ entity: Entity, _ kind: String, _ names: Set<String>, _ all: [Entity]
  ) -> String? {
    guard names.contains(entity.name) else { return nil }
    let others = all.filter {
      $0.name != entity.name && $0.renamingName == entity.renamingName
    }
    return InferenceRules.ambiguity(kind, among: others.map(\.name))
  }
}
