internal import CoreDataStore

/// Which property of a source entity became which of its target entity, inherited ones included.
struct PropertyPairing {
  let from: Entity
  let to: Entity
  /// The source's properties, by name.
  let old: [String: any Property]
  /// The target's properties, by name.
  let new: [String: any Property]
  /// The source's name for each name of the target that has one.
  private(set) var sources: [String: String] = [:]
  /// Where each property would go if the file dropped nothing.
  let targetsWithoutDrops: [String: String]
  /// The properties that the file drops.
  let dropped: Set<String>

  private var targets: [String: String] = [:]
  private var renamed: [String: String] = [:]
  /// The properties of the source that share a renaming identifier.
  private let ambiguous: Set<String>

  init(from: Entity, to: Entity, in context: MappingContext) {
    (self.from, self.to) = (from, to)
    let before = Self.all(of: from, in: context.source)
    let after = Self.all(of: to, in: context.target)
    old = Dictionary(before.map { ($0.name, $0) }) { first, _ in first }
    new = Dictionary(after.map { ($0.name, $0) }) { first, _ in first }
    dropped = Set(before.map(\.name).filter { context.drops($0, of: from) })
    var renames: [String: String] = [:]
    for rename in context.renames(of: from) {
      for (name, newName) in rename.properties where old[name] != nil && new[newName] != nil {
        renames[newName] = name
      }
    }
    let claimed = Set(renames.values)
    let free = after.filter { renames[$0.name] == nil }
    let unclaimed = before.filter { !claimed.contains($0.name) }
    let areEqual = context.areEqual(from, to)
    let match = RenamingMatch(
      source: unclaimed.filter { [dropped] in !dropped.contains($0.name) }, target: free,
      areEqual: areEqual)
    ambiguous = match.ambiguousSources
    targetsWithoutDrops = RenamingMatch(source: unclaimed, target: free, areEqual: areEqual).targets
      .merging(renames.map { ($1, $0) }) { _, second in second }
    renamed = renames
    sources = match.sources.merging(renames.filter { [dropped] in !dropped.contains($0.value) }) {
      _, second in second
    }
    targets = Dictionary(sources.map { ($0.value, $0.key) }) { min($0, $1) }
  }

  private static func all(of entity: Entity, in model: Model) -> [any Property] {
    model.allAttributes(of: entity) as [any Property] + model.allRelationships(of: entity)
      + model.allFetchedProperties(of: entity)
  }

  /// Why Core Data refuses a property of the source that has another one's identifier.
  ///
  /// Nil where it has not, or where the file says what it becomes.
  func ambiguity(of name: String) -> String? {
    guard ambiguous.contains(name), let property = old[name] else { return nil }
    let others = old.values.filter {
      $0.name != name && $0.renamingName == property.renamingName && ambiguous.contains($0.name)
    }.map(\.name)
    return InferenceRules.ambiguity("property", among: others.sortedByName())
  }

  /// The property of the source that became this one.
  func source(of name: String) -> (any Property)? { sources[name].flatMap { old[$0] } }

  /// The name of the target that a property of the source became.
  func target(of name: String) -> String? { targets[name] }

  /// The rule that pairs a property of the target with its source.
  func rule(of name: String) -> MappingRule {
    if sources[name] == name { return .same }
    return renamed[name] != nil ? .renamedInFile : .renamedByIdentifier
  }
}
