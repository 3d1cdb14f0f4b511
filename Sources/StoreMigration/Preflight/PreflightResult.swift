package struct PreflightResult: Sendable {
  package struct Kind: Sendable, Hashable {
    /// How often the rule will be broken, and by which objects: the entity is the source's, the
    /// property the target's.
    package let count: ValidationResult.RuleCount
    /// Lines of a pipeline file or script, each of which would settle it.
    package let remedies: [String]
    /// Whether it is about values that no two objects may share, which a store cannot be made with.
    package let isUniqueness: Bool
    /// With what Core Data ends the migration; nil where it leaves the objects as they are.
    package let refusal: String?
    /// Whether it is about values that a conversion can make nothing of: they end a run.
    package let isConversion: Bool

    /// Whether no new store is made, although the pipeline does not validate.
    package var endsRun: Bool { count.errors > 0 && (isUniqueness || refusal != nil) }
  }

  /// What a kind of failure is about.
  struct Place: Hashable {
    let entity: String
    let property: String
    let rule: String
  }

  /// The failures, errors first, up to the limit.
  package let failures: [RuleFailure]
  /// How many objects will break a rule that they did not break before, once for each rule.
  package let errors: Int
  /// How many break the same rule already, with the same value.
  package let warnings: Int
  /// The kinds, in the order they were met.
  package let kinds: [Kind]
  /// What was not looked at, and why.
  package let unchecked: [String]
  /// How many objects have a value that a conversion can make nothing of, once for each.
  package var misfits: Int {
    kinds.filter(\.isConversion).reduce(0) { $0 + $1.count.errors }
  }

  init(
    _ result: ValidationResult, _ remedies: [Place: [String]], unique: Set<Place>,
    refusals: [Place: String], conversions: Set<Place>, left: [String]
  ) {
    failures = result.failures
    errors = result.errors
    warnings = result.warnings
    kinds = result.countsByRule.map { count in
      let place = Place(entity: count.entity, property: count.property, rule: count.rule)
      return Kind(
        count: count, remedies: remedies[place] ?? [], isUniqueness: unique.contains(place),
        refusal: refusals[place], isConversion: conversions.contains(place))
    }
    unchecked = result.unchecked + left
  }
}
