/// Finds which entity or property of one version became which of the next.
///
/// Apple, *Migrating your data model automatically*: "set the renaming identifier of the entity or
/// property in the destination model to the name of the corresponding one in the source model".
/// An identifier kept over several versions leads back to the same origin.
package struct RenamingMatch: Sendable {
  /// The names that decide: the present one and the one before.
  package struct Tag: Sendable {
    package let name: String
    /// The renaming identifier, nil when none was set.
    package let identifier: String?

    /// A tag of both names.
    package init(name: String, identifier: String?) {
      self.name = name
      self.identifier = identifier
    }
  }

  /// The source's name for each name of the target that has one.
  package private(set) var sources: [String: String] = [:]
  /// The target's name for each name of the source that has one.
  package private(set) var targets: [String: String] = [:]

  /// Pairs names: what carries the same identifier as before, then by identifiers, then equal
  /// names, then what was renamed back.
  package init(source: [Tag], target: [Tag]) {
    let names = Dictionary(source.map { ($0.name, $0) }) { first, _ in first }
    let identifiers = Dictionary(
      source.compactMap { tag in tag.identifier.map { ($0, tag) } }
    ) { first, _ in first }
    for tag in target where tag.identifier != nil {
      guard let same = names[tag.name], same.identifier == tag.identifier else { continue }
      pair(tag, with: same)
    }
    for tag in target {
      guard let identifier = tag.identifier else { continue }
      pair(tag, with: names[identifier])
      pair(tag, with: identifiers[identifier])
    }
    for tag in target { pair(tag, with: names[tag.name]) }
    for tag in target { pair(tag, with: identifiers[tag.name]) }
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

  /// Pairs two names unless one of them is paired already.
  private mutating func pair(_ target: Tag, with source: Tag?) {
    guard let source, sources[target.name] == nil, targets[source.name] == nil else { return }
    sources[target.name] = source.name
    targets[source.name] = target.name
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
  package init(source: [any Property], target: [any Property]) {
    self.init(
      source: source.map { Tag(name: $0.name, identifier: $0.renamingIdentifier) },
      target: target.map { Tag(name: $0.name, identifier: $0.renamingIdentifier) })
  }
}
