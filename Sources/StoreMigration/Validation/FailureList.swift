internal import CoreDataStore

/// Collects failures: all are counted, the first are kept.
struct FailureList {
  private struct Key: Hashable {
    let entity: String
    let property: String
    let rule: ObjectRule
  }

  private let limit: Int
  private let isStrict: Bool
  private var errors: [RuleFailure] = []
  private var warnings: [RuleFailure] = []
  private var places: [Key: Int] = [:]
  private var counts: [ValidationResult.RuleCount] = []

  init(limit: Int, isStrict: Bool) {
    self.limit = limit
    self.isStrict = isStrict
  }

  mutating func add(
    entity: String, key: Int64, property: String, rule: ObjectRule, inSource: Bool,
    value: AttributeValue? = nil
  ) {
    let place = place(of: Key(entity: entity, property: property, rule: rule))
    let failure = RuleFailure(
      entity: entity, key: key, property: property, rule: counts[place].rule, inSource: inSource,
      value: value)
    if inSource && !isStrict {
      counts[place].warnings += 1
      if warnings.count < limit { warnings.append(failure) }
    } else {
      counts[place].errors += 1
      if errors.count < limit { errors.append(failure) }
    }
  }

  private mutating func place(of key: Key) -> Int {
    if let place = places[key] { return place }
    places[key] = counts.count
    counts.append(
      ValidationResult.RuleCount(
        entity: key.entity, property: key.property, rule: key.rule.description, errors: 0,
        warnings: 0))
    return counts.count - 1
  }

  /// The result, with what was learned elsewhere.
  func result(unchecked: [String], expectations: [ExpectationOutcome]) -> ValidationResult {
    ValidationResult(
      failures: Array((errors + warnings).prefix(limit)),
      errors: counts.reduce(0) { $0 + $1.errors }, warnings: counts.reduce(0) { $0 + $1.warnings },
      countsByRule: counts, unchecked: unchecked, expectations: expectations)
  }
}
