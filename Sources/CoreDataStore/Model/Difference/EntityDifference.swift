/// What happened to one entity between two versions.
public struct EntityDifference: Hashable, Sendable {
  /// The name in the target, or in the source when it was removed.
  public var name: String
  /// What happened to it.
  public var change: Change
  /// The name in the source, when it has another.
  public var from: String?
  /// What is not the same about the entity itself.
  public var aspects: [Aspect]
  /// Its properties that were added, removed, renamed or changed, by name.
  public var properties: [PropertyDifference]
  /// Whether its version hash changes.
  public var changesHash: Bool
  /// Why Core Data cannot infer what to do with the entity itself; nil when it can.
  public var obstacle: String?

  /// Whether Core Data's lightweight migration can do it, properties included.
  public var isInferable: Bool { obstacle == nil && properties.allSatisfy(\.isInferable) }

  /// What is not the same and, where there is one, the obstacle; nil when there is nothing to say.
  public var why: String? {
    let parts = aspects.map(\.description) + [obstacle].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}
