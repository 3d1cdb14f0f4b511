import CoreDataStore
import Testing

@Suite("Delete rules")
struct DeleteRuleTests {
  @Test("a rule is found by its name, to the letter", arguments: DeleteRule.allCases)
  func named(rule: DeleteRule) {
    #expect(DeleteRule(name: rule.name) == rule)
    #expect(DeleteRule(name: rule.name.lowercased()) == nil)
  }
}
