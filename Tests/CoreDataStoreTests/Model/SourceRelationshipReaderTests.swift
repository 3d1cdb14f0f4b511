import CoreDataStore
import StoreTestSupport
import Testing

@Suite("Relationships in XML")
struct SourceRelationshipReaderTests {
  private func relationship(_ settings: String) throws -> Relationship {
    let body = "<relationship name=\"r\" destinationEntity=\"A\" \(settings)/>"
    let model = try ModelText.model("<entity name=\"A\">\(body)</entity>")
    return try #require(model.entities[0].relationships.first)
  }

  @Test("counts that are absent are 0, and any number may be there") func counts() throws {
    let plain = try relationship("")
    #expect(plain.minCount == 0 && plain.maxCount == 0 && plain.isToMany)
    let one = try relationship(#"minCount="1" maxCount="1""#)
    #expect(one.minCount == 1 && !one.isToMany)
  }

  @Test("a delete rule is read by its name", arguments: DeleteRule.allCases)
  func rule(rule: DeleteRule) throws {
    #expect(try relationship("deletionRule=\"\(rule.name)\"").deleteRule == rule)
  }

  @Test(
    "a count or a rule that is none is refused",
    arguments: [("maxCount=\"x\"", "not a whole number"), ("deletionRule=\"x\"", "delete rule")])
  func refused(settings: String, why: String) {
    let error = #expect(throws: Failure.self) { try relationship(settings) }
    #expect(error?.why.contains(why) == true)
  }
}
