import CoreDataStore
import StoreTestSupport
import Testing

@Suite("Properties in two versions")
struct PropertyComparisonTests {
  @Test("a property moved to a parent is not lost, and is reported where it was declared")
  func movedUp() throws {
    let attribute = #"<attribute name="x" optional="YES" attributeType="Date"/>"#
    let difference = try ModelText.difference(
      "<entity name=\"P\"/><entity name=\"A\" parentEntity=\"P\">\(attribute)</entity>",
      "<entity name=\"P\">\(attribute)</entity><entity name=\"A\" parentEntity=\"P\"/>")
    let child = try #require(difference.entities.first { $0.name == "A" })
    #expect(child.properties.map(\.change) == [.changed])
    #expect(child.properties.first?.why == "declared by: A, now P")
    let parent = try #require(difference.entities.first { $0.name == "P" })
    #expect(parent.properties.map(\.change) == [.added])
    #expect(difference.isInferable)
  }

  @Test("a property moved to a child is reported at the child")
  func movedDown() throws {
    let attribute = #"<attribute name="x" optional="YES" attributeType="Date"/>"#
    let difference = try ModelText.difference(
      "<entity name=\"P\">\(attribute)</entity><entity name=\"A\" parentEntity=\"P\"/>",
      "<entity name=\"P\"/><entity name=\"A\" parentEntity=\"P\">\(attribute)</entity>")
    let child = try #require(difference.entities.first { $0.name == "A" })
    #expect(child.properties.first?.why == "declared by: P, now A")
    let parent = try #require(difference.entities.first { $0.name == "P" })
    #expect(parent.properties.map(\.change) == [.removed])
  }

  @Test("an attribute and a relationship of its name are a removed property and a new one")
  func otherKind() throws {
    let difference = try ModelText.difference(
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Date\"/></entity>",
      "<entity name=\"A\"><relationship name=\"x\" destinationEntity=\"A\"/></entity>")
    let found = try #require(difference.entities.first).properties
    #expect(Set(found.map(\.change)) == [.added, .removed])
    #expect(difference.isInferable)
  }
}
