/// A fetch that a model keeps under a name.
public struct FetchRequest: Hashable, Sendable {
  /// The name the application asks for.
  public var name: String
  /// The entity that is fetched, when the model says.
  public var entity: String?
  /// Which objects are fetched, when not all are.
  package var predicate: ModelPredicate?

  /// A request with all its parts.
  package init(name: String, entity: String? = nil, predicate: ModelPredicate? = nil) {
    self.name = name
    self.entity = entity
    self.predicate = predicate
  }
}
