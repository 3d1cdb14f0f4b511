/// What happened between two versions of a model, and what Core Data could make of it by itself.
public struct ModelDifference: Sendable {
  /// The name of the older version.
  public let source: String
  /// The name of the newer version.
  public let target: String
  /// Every entity of both, by name; those that stayed the same too.
  public let entities: [EntityDifference]

  /// Compares two versions.
  public init(from source: Model, to target: Model) {
    self.source = source.name
    self.target = target.name
    entities = EntityComparison(from: source, to: target).differences()
  }

  /// Whether some version hash changes, so that Core Data demands a migration.
  public var hashChanges: Bool { entities.contains(where: \.changesHash) }

  /// Whether Core Data's lightweight migration can do all of it.
  public var isInferable: Bool { entities.allSatisfy(\.isInferable) }

  /// Whether nothing at all is different.
  public var isEmpty: Bool { entities.allSatisfy { $0.change == .same } }
}
