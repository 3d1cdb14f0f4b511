import Testing

@testable import CoreDataStore

@Suite("Triggers of a store") struct StoreTriggerTests {
  @Test("the statements of its body end each with a semicolon")
  func body() {
    let trigger = StoreTrigger("t", after: "INSERT", on: "ZA", ["DELETE FROM b", "DELETE FROM c"])
    #expect(
      trigger.sql == "CREATE TRIGGER t AFTER INSERT ON ZA FOR EACH ROW "
        + "BEGIN DELETE FROM b; DELETE FROM c; END")
    #expect(trigger.name == "t" && trigger.table == "ZA")
  }

  @Test("a condition stands in parentheses before the body")
  func condition() {
    let trigger = StoreTrigger("t", after: "UPDATE", on: "ZA", when: "NEW.a", ["SELECT 1"])
    #expect(
      trigger.sql
        == "CREATE TRIGGER t AFTER UPDATE ON ZA FOR EACH ROW WHEN (NEW.a) BEGIN SELECT 1; END")
  }
}
