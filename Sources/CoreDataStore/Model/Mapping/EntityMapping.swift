/// The way of one entity in a mapping model.
package struct EntityMapping: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
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
  package var name: String
  /// The entity of the source version, nil for one that is new.
  package var source: String?
  /// The entity of the destination version, nil for one that is gone.
  package var destination: String?
  /// The application's own class, which cannot be run outside it.
  package var policyClass: String?
  /// Which source objects are mapped, when the file says.
  package var sourceExpression: ModelExpression?
  /// What is said about attributes, by name.
  package var attributes: [PropertyMapping]
  /// What is said about relationships, by name.
  package var relationships: [PropertyMapping]

  /// A mapping of these parts.
  package init(
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

  package var kind: Kind {
    if policyClass != nil { return .custom }
    return source == nil ? .add : destination == nil ? .remove : .transform
  }
}
