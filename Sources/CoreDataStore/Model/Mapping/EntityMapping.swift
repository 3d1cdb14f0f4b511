/// The way of one entity in a mapping model.
public struct EntityMapping: Sendable, Hashable {
  /// What becomes of the entity.
  public enum Kind: String, Sendable, Hashable {
    /// It is new.
    case add
    /// It is gone.
    case remove
    /// Its objects are made from those of the source by expressions.
    case transform
    /// An application's own class makes its objects.
    case custom
  }

  /// The name by which expressions speak of this mapping.
  public var name: String
  /// The entity of the source version, nil for one that is new.
  public var source: String?
  /// The entity of the destination version, nil for one that is gone.
  public var destination: String?
  /// The application's own class, which cannot be run outside it.
  public var policyClass: String?
  /// Which source objects are mapped, when the file says.
  public var sourceExpression: ModelExpression?
  /// What is said about attributes, by name.
  public var attributes: [PropertyMapping]
  /// What is said about relationships, by name.
  public var relationships: [PropertyMapping]

  /// A mapping of these parts.
  public init(
    name: String, source: String?, destination: String?, policyClass: String? = nil,
    sourceExpression: ModelExpression? = nil, attributes: [PropertyMapping] = [],
    relationships: [PropertyMapping] = []
  ) {
    self.name = name
    self.source = source
    self.destination = destination
    self.policyClass = policyClass
    self.sourceExpression = sourceExpression
    self.attributes = attributes
    self.relationships = relationships
  }

  /// What becomes of the entity.
  public var kind: Kind {
    if policyClass != nil { return .custom }
    return source == nil ? .add : destination == nil ? .remove : .transform
  }
}
