import CoreDataStore
import Foundation
import StoreTestSupport
import Testing

@testable import StorePipeline

@Suite("Rules for a change of a model")
struct LintRuleTests {
  /// What a rule finds between two versions.
  static func found(_ rule: String, _ before: String, _ after: String) throws -> [String] {
    let report = ModelDifferenceReport(
      from: try ModelText.model(before, name: "1"), to: try ModelText.model(after, name: "2"))
    return LintRule.named(rule).flatMap { $0.find(report) }.map(\.subject)
  }

  private static func attribute(_ name: String, _ traits: String) -> String {
    "<entity name=\"A\"><attribute name=\"\(name)\" \(traits)/></entity>"
  }

  @Test("each rule finds something in its example", arguments: LintRule.all.map(\.name))
  func example(name: String) throws {
    let rule = try #require(LintRule.named(name).first)
    #expect(try !rule.find(rule.exampleReport).isEmpty)
  }

  @Test(
    "a rule about changes finds nothing where nothing changed",
    arguments: LintRule.all.filter { $0.group != .cloudkit }.map(\.name))
  func unchanged(name: String) throws {
    let rule = try #require(LintRule.named(name).first)
    #expect(try Self.found(name, rule.example.after, rule.example.after) == [])
  }

  @Test("names are unlike each other and unlike those of groups, and have one form") func names() {
    let names = LintRule.all.map(\.name) + LintRule.Group.allCases.map(\.rawValue)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" } })
  }

  @Test("a word stands for a rule or for all of a group, and an unknown one for none")
  func words() {
    #expect(LintRule.named("order-lost").map(\.name) == ["order-lost"])
    #expect(LintRule.named("renames").count == 3)
    #expect(LintRule.named("order-los").isEmpty)
    #expect(LintRule.suggestion(for: "order-los") == "; did you mean order-lost?")
  }

  @Test(
    "a number loses nothing in a type that holds it",
    arguments: [
      ("Integer 16", "Integer 64"), ("Integer 32", "Double"), ("Integer 64", "Decimal"),
      ("Float", "Double"), ("Boolean", "Integer 16"),
    ])
  func wider(old: String, new: String) throws {
    let (before, after) = (old, new)
    func model(_ type: String) -> String { Self.attribute("n", "attributeType=\"\(type)\"") }
    #expect(try Self.found("attribute-narrowed", model(before), model(after)) == [])
    #expect(try Self.found("attribute-narrowed", model(after), model(before)) == ["A.n"])
  }

  @Test("what was never stored is not lost") func transient() throws {
    let before = Self.attribute("n", "transient=\"YES\" attributeType=\"String\"")
    #expect(try Self.found("attribute-removed", before, "<entity name=\"A\"/>") == [])
  }

  @Test("an abstract entity has no objects to lose") func abstract() throws {
    let before = "<entity name=\"A\" isAbstract=\"YES\"/><entity name=\"B\"/>"
    #expect(try Self.found("entity-removed", before, "<entity name=\"B\"/>") == [])
    #expect(try Self.found("entity-removed", before, "<entity name=\"C\"/>") == ["B"])
  }

  @Test("links survive where the new destination is what the old one inherits from")
  func ancestor() throws {
    func model(_ to: String) -> String {
      """
      <entity name="N"><relationship name="r" optional="YES" maxCount="1"
        destinationEntity="\(to)"/></entity>
      <entity name="P"/><entity name="C" parentEntity="P"/>
      """
    }
    #expect(try Self.found("relationship-redirected", model("C"), model("P")) == [])
    #expect(try Self.found("relationship-redirected", model("P"), model("C")) == ["N.r"])
  }

  @Test("a near name of another type is no forgotten renaming") func unlike() throws {
    let old = Self.attribute("phone", "attributeType=\"String\"")
    func new(_ traits: String) -> String { Self.attribute("telephone", traits) }
    let rule = "rename-unmarked"
    #expect(try Self.found(rule, old, new("attributeType=\"String\"")) == ["A.telephone"])
    #expect(try Self.found(rule, old, new("attributeType=\"Date\"")) == [])
    #expect(
      try Self.found(rule, old, new("attributeType=\"String\" elementID=\"phone\"")) == [])
  }

  @Test("the list names every rule, and the page shows each with what it finds") func pages() throws
  {
    let page = try LintRule.markdown()
    let list = LintRule.text(width: 100, style: Style(isOn: false))
    for rule in LintRule.all {
      #expect(list.contains("  \(rule.name) "))
      #expect(page.contains("### \(rule.name)\n"))
    }
    #expect(page.contains("```text\nNote.done: the values are gone: Boolean\n```"))
    #expect(LintRule.json.contains("\"name\": \"order-lost\""))
  }
}
