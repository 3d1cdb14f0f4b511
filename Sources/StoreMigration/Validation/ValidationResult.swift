/// What the rules of a model say of a whole store.
package struct ValidationResult: Sendable {
  /// How often one rule was not obeyed.
  package struct RuleCount: Sendable, Hashable {
    package var entity: String
    package var property: String
    package var rule: String
    /// How many objects are errors.
    package var errors: Int
    /// How many objects are warnings.
    package var warnings: Int
  }

  /// The failures, errors first, up to the limit.
  package var failures: [RuleFailure]
  /// How many failures are errors.
  package var errors: Int
  /// How many failures stood in the source already and are only counted.
  package var warnings: Int
  /// How often each rule was not obeyed, in the order of the checks.
  package var countsByRule: [RuleCount]
  /// Rules that could not be checked, "Item.title: ...", with the reason.
  package var unchecked: [String]
  /// What the expectations found, in their order.
  package var expectations: [ExpectationOutcome]

  /// Whether nothing speaks against the store.
  package var isPassed: Bool { errors == 0 && expectations.allSatisfy(\.isMet) }
}
