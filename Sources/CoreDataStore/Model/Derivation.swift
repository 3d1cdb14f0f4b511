/// How the value of a derived attribute is computed.
public struct Derivation: Hashable, Sendable {
  /// The expression over the object's own properties.
  package var expression: ModelExpression
  /// Which related objects count, when not all do.
  package var filter: ModelPredicate?

  package init(expression: ModelExpression, filter: ModelPredicate? = nil) {
    self.expression = expression
    self.filter = filter
  }
}
