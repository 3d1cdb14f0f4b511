/// A condition inside a model: of a partial index, a validation, a fetch.
public indirect enum ModelPredicate: Hashable, Sendable {
  case comparison(ModelComparison)
  /// All of them; an empty list is always true.
  case and([ModelPredicate])
  /// Any of them; an empty list is always false.
  case or([ModelPredicate])
  case not(ModelPredicate)
  /// Something this library cannot read, with its text and why.
  case unknown(String, why: String)
}
