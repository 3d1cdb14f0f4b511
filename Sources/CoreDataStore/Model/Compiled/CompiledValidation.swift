/// Validation predicates of a compiled model, as the rules that Xcode makes them from.
enum CompiledValidation {
  /// The rules of an attribute, in a fixed order.
  static func rules(_ object: CompiledObject?, type: AttributeType) -> [ValidationRule] {
    let predicates = (object?.elements ?? []).map(PredicateArchive.predicate)
    return ValidationRule.inOrder(predicates.flatMap { rules($0, type) })
  }

  private static func rules(_ predicate: ModelPredicate, _ type: AttributeType) -> [ValidationRule]
  {
    if case .and(let parts) = predicate, !parts.isEmpty { return parts.flatMap { rules($0, type) } }
    guard case .comparison(let comparison) = predicate, comparison.quantifier == .direct,
      comparison.options.isEmpty, case .constant(let bound) = comparison.right
    else { return [.predicate(predicate)] }
    return [rule(comparison, bound.normalized(for: type)) ?? .predicate(predicate)]
  }

  private static func rule(
    _ comparison: ModelComparison, _ bound: ModelConstant
  ) -> ValidationRule? {
    switch (comparison.left, comparison.comparator, bound) {
    case (.itself, .atLeast, _): .minimum(bound)
    case (.itself, .atMost, _): .maximum(bound)
    case (.itself, .matches, .string(let pattern)): .matches(pattern)
    case (.keyPath("length"), .atLeast, .integer(let length)): .minimumLength(Int(length))
    case (.keyPath("length"), .atMost, .integer(let length)): .maximumLength(Int(length))
    default: nil
    }
  }
}
