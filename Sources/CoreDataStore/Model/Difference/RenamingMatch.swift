/// Finds which entity or property of one version became which of the next, as Core Data does.
///
/// Each has a key, its renaming identifier, or its name where it has none; equal keys are a pair.
/// Apple, *Migrating your data model automatically*: an identifier is "a canonical name", which may
/// be kept over several versions.
package struct RenamingMatch: Sendable {
  /// A name, and what it is paired by.
  package struct Tag: Sendable {
    package let name: String
    /// The renaming identifier, nil when none was set.
    package let identifier: String?
    /// Whether it is nothing that a store has: Core Data looks past it.
    package let isTransient: Bool

    /// A tag of both names.
    package init(name: String, identifier: String?, isTransient: Bool = false) {
      self.name = name
      self.identifier = identifier
      self.isTransient = isTransient
    }

    fileprivate var key: String { identifier ?? name }
  }

  /// The source's name for each name of the target that has one.
  package private(set) var sources: [String: String] = [:]
  /// The target's name for each name of the source that has one.
  package private(set) var targets: [String: String] = [:]
  /// The names of the source that share a key, which Core Data refuses.
  package private(set) var ambiguousSources: Set<String> = []
  /// The same of the target.
  package private(set) var ambiguousTargets: Set<String> = []

  /// Pairs names; of several with one key the one whose identifier was set is taken.
  package init(source: [Tag], target: [Tag]) {
    let before = Dictionary(grouping: source, by: \.key)
    let after = Dictionary(grouping: target, by: \.key)
    for (key, tags) in after {
      guard let old = before[key].flatMap(Self.leading), let new = Self.leading(tags) else {
        continue
      }
      sources[new.name] = old.name
      targets[old.name] = new.name
    }
    ambiguousSources = Self.ambiguous(before)
    ambiguousTargets = Self.ambiguous(after)
  }

  private static func leading(_ tags: [Tag]) -> Tag? {
    let stored = tags.filter { !$0.isTransient }
    let candidates = stored.isEmpty ? tags : stored
    return candidates.first { $0.identifier != nil } ?? candidates.first
  }

  private static func ambiguous(_ groups: [String: [Tag]]) -> Set<String> {
    Set(
      groups.values.map { $0.filter { !$0.isTransient } }.filter { $0.count > 1 }
        .flatMap { $0.map(\.name) })
  }

  /// Whether a name of the source has become a name of the target; so has none become none.
  func joins(_ source: String?, _ target: String?) -> Bool {
    guard let source, let target else { return source == nil && target == nil }
    return targets[source] == target
  }

  /// What to say behind a name of the source that is not what the target means by it.
  func fate(of name: String) -> String {
    guard let target = targets[name] else { return " (removed)" }
    return target == name ? "" : " (renamed \(target))"
  }
}

extension RenamingMatch {
  /// The match of two models' entities.
  package init(from source: Model, to target: Model) {
    self.init(
      source: source.entities.map { Tag(name: $0.name, identifier: $0.renamingIdentifier) },
      target: target.entities.map { Tag(name: $0.name, identifier: $0.renamingIdentifier) })
  }

  /// The match of two lists of properties.
  ///
  /// Attributes become attributes only, and relationships relationships: "a pair of different
  /// kinds" is a new property and a removed one.
  ///
  /// Where the entities have equal version hashes (`areEqual`) Core Data copies, and looks at no
  /// identifier.
  package init(source: [any Property], target: [any Property], areEqual: Bool = false) {
    self.init(source: [Tag](), target: [Tag]())
    let kinds: [(any Property) -> Bool] = [
      { $0 is Attribute }, { $0 is Relationship }, { $0 is FetchedProperty },
    ]
    for isOfKind in kinds {
      add(
        RenamingMatch(
          source: source.filter(isOfKind).map { Self.tag($0, areEqual) },
          target: target.filter(isOfKind).map { Self.tag($0, areEqual) }))
    }
    // Kinds make no difference here: two of one entity may not have one identifier.
    let stored = source.filter { !($0 is FetchedProperty) }.map { Self.tag($0, areEqual) }
    ambiguousSources = Self.ambiguous(Dictionary(grouping: stored, by: \.key))
  }

  private static func tag(_ property: any Property, _ isByName: Bool) -> Tag {
    Tag(
      name: property.name, identifier: isByName ? nil : property.renamingIdentifier,
      isTransient: property.isTransient)
  }

  private mutating func add(_ other: RenamingMatch) {
    sources.merge(other.sources) { first, _ in first }
    targets.merge(other.targets) { first, _ in first }
  }
}
