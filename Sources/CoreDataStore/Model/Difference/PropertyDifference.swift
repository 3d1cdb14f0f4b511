/// What happened to one property between two versions.
public struct PropertyDifference: Hashable, Sendable {
  /// The kinds of property.
  public enum Kind: String, Hashable, Sendable {
    case attribute
    case relationship
    case fetchedProperty = "fetched property"
  }

  /// The name in the target, or in the source when it was removed.
  public var name: String
  /// What kind of property it is.
  public var kind: Kind
  /// What happened to it.
  public var change: Change
  /// The name in the source, when it has another.
  public var from: String?
  /// What is not the same, one thing at a time.
  public var aspects: [Aspect]
  /// Whether the version hash of its entity changes by it.
  public var changesHash: Bool
  /// Why Core Data cannot infer what to do; nil when it can.
  public var obstacle: String?
  /// What must be true of the objects, where Core Data infers what to do and looks at them then.
  public var condition: String?

  /// Whether Core Data's lightweight migration can do it.
  public var isInferable: Bool { obstacle == nil }

  /// What is not the same and, where there is one, the obstacle; nil when there is nothing to say.
  public var why: String? {
    let parts = aspects.map(\.description) + [obstacle, condition].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}
