import CoreDataStore
import StoreTestSupport
import Testing

@Suite("Entities in two versions")
struct EntityComparisonTests {
  @Test("two roots under one new parent are more than inference can do")
  func mergedRoots() throws {
    let difference = try ModelText.difference(
      "<entity name=\"A\"/><entity name=\"B\"/>",
      "<entity name=\"N\"/><entity name=\"A\" parentEntity=\"N\"/>"
        + "<entity name=\"B\" parentEntity=\"N\"/>")
    #expect(!difference.isInferable)
    #expect(
      difference.entities.first { $0.name == "A" }?.why?.contains("cannot merge A and B") == true)
  }

  @Test("one root under a new parent is inferable")
  func newParent() throws {
    let difference = try ModelText.difference(
      "<entity name=\"A\"/><entity name=\"B\" parentEntity=\"A\"/>",
      "<entity name=\"N\"/><entity name=\"A\" parentEntity=\"N\"/>"
        + "<entity name=\"B\" parentEntity=\"A\"/>")
    #expect(difference.isInferable && difference.hashChanges)
  }

  @Test("what differs about an entity itself is reported, a parent that was only renamed is not")
  func aspects() throws {
    let difference = try ModelText.difference(
      """
      <entity name="P"/><entity name="A" parentEntity="P"/>
      """,
      """
      <entity name="Q" elementID="P"/><entity name="A" parentEntity="Q" isAbstract="YES">
        <attribute name="x" optional="YES" attributeType="Date"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="x"/>
        </uniquenessConstraint></uniquenessConstraints></entity>
      """)
    let entity = try #require(difference.entities.first { $0.name == "A" })
    #expect(
      entity.aspects.map(\.description) == [
        "abstract: no, now yes", "uniqueness: none, now x",
      ])
    #expect(entity.changesHash && entity.isInferable)
  }

  @Test(
    "a parent that is another entity of the old one's name is a difference",
    arguments: [
      ("<entity name=\"B\" elementID=\"A\"/><entity name=\"A\"/>", "\"A\" (renamed B), now \"A\""),
      ("<entity name=\"A\" elementID=\"X\"/>", "\"A\" (removed), now \"A\""),
    ])
  func otherParentOfThatName(parents: String, words: String) throws {
    let child = "<entity name=\"C\" parentEntity=\"A\"/>"
    let difference = try ModelText.difference(
      "<entity name=\"A\"/><entity name=\"X\"/>" + child, parents + child)
    let entity = try #require(difference.entities.first { $0.name == "C" })
    #expect(entity.change == .changed)
    #expect(entity.aspects.map(\.description) == ["parent: \(words)"])
  }
}
