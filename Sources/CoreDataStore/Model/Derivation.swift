/// How the value of a derived attribute is computed.
public struct Derivation: Hashable, Sendable {
  /// The expression over the object's own properties.
  public var expression: ModelExpression
  /// Which related objects count, when not all do.
  public var filter: ModelPredicate?

  /// A derivation with its filter.
  public init(expression: ModelExpression, filter: ModelPredicate? = nil) {
    self.expression = expression
    self.filter = filter
  }
}
