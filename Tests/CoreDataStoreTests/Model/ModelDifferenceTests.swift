import CoreDataStore
import StoreTestSupport
import Testing

@Suite("What changed between two versions")
struct ModelDifferenceTests {
  @Test("a renamed entity and a renamed property are found by their identifiers")
  func renamed() throws {
    let difference = try ModelText.difference(
      """
      <entity name="A"><attribute name="x" attributeType="Date"/>
        <relationship name="next" maxCount="1" destinationEntity="A"/></entity>
      """,
      """
      <entity name="B" elementID="A"><attribute name="y" attributeType="Date" elementID="x"/>
        <relationship name="next" maxCount="1" destinationEntity="B"/></entity>
      """)
    let entity = try #require(difference.entities.first)
    #expect(difference.entities.count == 1)
    #expect(entity.change == .renamed && entity.name == "B" && entity.from == "A")
    #expect(entity.properties.map(\.name) == ["y"])
    #expect(entity.properties.first?.from == "x")
    #expect(difference.isInferable && difference.hashChanges)
  }

  @Test("what does not enter the hash is a change without one")
  func withoutHash() throws {
    let difference = try ModelText.difference(
      #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#,
      """
      <entity name="A" representedClassName="B">
        <attribute name="x" attributeType="String" defaultValueString="d"/></entity>
      """)
    #expect(!difference.hashChanges && !difference.isEmpty)
    #expect(difference.entities.first?.aspects.map(\.description) == ["class: none, now \"B\""])
    #expect(difference.entities.first?.properties.first?.why == "default: none, now \"d\"")
  }

  @Test("equal models differ in nothing")
  func equal() throws {
    let body = #"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#
    let difference = try ModelText.difference(body, body)
    #expect(difference.isEmpty && difference.isInferable && !difference.hashChanges)
    #expect(difference.entities.map(\.change) == [.same])
  }
}
