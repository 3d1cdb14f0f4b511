/// An expression inside a model: of a derived attribute, an index, a predicate, a mapping.
public indirect enum ModelExpression: Hashable, Sendable {
  case constant(ModelConstant)
  /// A path from the object itself, `maker.name`.
  case keyPath(String)
  /// The object or value itself, `SELF`.
  case itself
  /// A variable, without its dollar sign.
  case variable(String)
  /// A path from something other than the object, `$source.name`.
  case path(of: ModelExpression, String)
  /// A function that the predicate language knows, by selector: `count:`, `now`.
  case function(String, [ModelExpression])
  /// A message to an object: `FUNCTION($manager, "selector:" , argument)`.
  case message(to: ModelExpression, selector: String, [ModelExpression])
  /// A list of values.
  case aggregate([ModelExpression])
  /// Something this library cannot read, with its text and why.
  case unknown(String, why: String)
}
