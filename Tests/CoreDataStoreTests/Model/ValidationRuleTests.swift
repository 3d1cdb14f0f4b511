import CoreDataStore
import Testing

@Suite("Validation rules")
struct ValidationRuleTests {
  @Test("rules are put in a fixed order, and those of one kind stay in theirs") func order() {
    let first = ValidationRule.predicate(PredicateParser.predicate("SELF != 1"))
    let second = ValidationRule.predicate(PredicateParser.predicate("SELF != 0"))
    #expect(
      ValidationRule.inOrder([
        first, .matches("a"), second, .maximumLength(3), .minimumLength(1),
        .maximum(.integer(2)), .minimum(.integer(1)),
      ]) == [
        .minimum(.integer(1)), .maximum(.integer(2)), .minimumLength(1), .maximumLength(3),
        .matches("a"), first, second,
      ])
  }

  @Test(
    "a rule is described in words",
    arguments: [
      (.minimum(.integer(1)), "at least 1"), (.maximum(.real(2)), "at most 2"),
      (.minimumLength(3), "at least 3 long"), (.maximumLength(4), "at most 4 long"),
      (.matches("a+"), "matches a+"),
    ] as [(ValidationRule, String)])
  func words(rule: ValidationRule, words: String) { #expect(rule.description == words) }
}
