import CoreDataStore
import Testing

@Suite("What changed between two versions")
struct ModelDifferenceTests {
  private func difference(_ before: String, _ after: String) throws -> ModelDifference {
    ModelDifference(
      from: try ModelText.model(before, name: "1"), to: try ModelText.model(after, name: "2"))
  }

  /// The difference of one property `x` of the entity `A`.
  private func property(_ before: String, _ after: String) throws -> PropertyDifference? {
    let other = "<entity name=\"Z\"/><entity name=\"Y\"/>"
    let difference = try difference(
      "<entity name=\"A\">\(before)</entity>\(other)",
      "<entity name=\"A\">\(after)</entity>\(other)")
    return difference.entities.first { $0.name == "A" }?.properties.first
  }

  @Test(
    "attributes: what Core Data infers and what it cannot",
    arguments: [
      ("", #"optional="YES" attributeType="Date""#, Change.added, true),
      ("", #"attributeType="Date""#, .added, false),
      ("", #"attributeType="String" defaultValueString="x""#, .added, true),
      ("", #"attributeType="Date" transient="YES""#, .added, true),
      (#"attributeType="Date""#, "", .removed, true),
      (#"attributeType="Date""#, #"attributeType="Date" optional="YES""#, .changed, true),
      (#"attributeType="Date" optional="YES""#, #"attributeType="Date""#, .changed, false),
      (
        #"attributeType="String" optional="YES""#,
        #"attributeType="String" defaultValueString="x""#, .changed, true
      ),
      (#"attributeType="Integer 16""#, #"attributeType="Integer 32""#, .changed, false),
      (#"attributeType="Date" transient="YES""#, #"attributeType="Date""#, .changed, false),
    ])
  func attributes(before: String, after: String, change: Change, isInferable: Bool) throws {
    func text(_ settings: String) -> String {
      settings.isEmpty ? "" : "<attribute name=\"x\" \(settings)/>"
    }
    let found = try #require(try property(text(before), text(after)))
    #expect(found.change == change)
    #expect(found.isInferable == isInferable)
    #expect(isInferable || found.why?.isEmpty == false)
  }

  @Test(
    "relationships: what Core Data infers and what it cannot",
    arguments: [
      (#"maxCount="1" destinationEntity="Z""#, #"destinationEntity="Z""#, true),
      (#"destinationEntity="Z""#, #"maxCount="1" destinationEntity="Z""#, false),
      (#"destinationEntity="Z""#, #"ordered="YES" destinationEntity="Z""#, true),
      (#"destinationEntity="Z""#, #"destinationEntity="Y""#, false),
      (#"destinationEntity="Z""#, #"deletionRule="Deny" destinationEntity="Z""#, true),
      (#"optional="YES" destinationEntity="Z""#, #"destinationEntity="Z""#, false),
    ])
  func relationships(before: String, after: String, isInferable: Bool) throws {
    let found = try #require(
      try property(
        "<relationship name=\"x\" \(before)/>", "<relationship name=\"x\" \(after)/>"))
    #expect(found.change == .changed)
    #expect(found.isInferable == isInferable)
  }

  @Test("a renamed entity and a renamed property are found by their identifiers")
  func renamed() throws {
    let difference = try difference(
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
    let difference = try difference(
      #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#,
      """
      <entity name="A" representedClassName="B">
        <attribute name="x" attributeType="String" defaultValueString="d"/></entity>
      """)
    #expect(!difference.hashChanges && !difference.isEmpty)
    #expect(difference.entities.first?.aspects.map(\.description) == ["class: none, now \"B\""])
    #expect(difference.entities.first?.properties.first?.why == "default: none, now \"d\"")
  }

  @Test("a property moved to a parent is not lost, and told where it was declared")
  func movedUp() throws {
    let attribute = #"<attribute name="x" optional="YES" attributeType="Date"/>"#
    let difference = try difference(
      "<entity name=\"P\"/><entity name=\"A\" parentEntity=\"P\">\(attribute)</entity>",
      "<entity name=\"P\">\(attribute)</entity><entity name=\"A\" parentEntity=\"P\"/>")
    let child = try #require(difference.entities.first { $0.name == "A" })
    #expect(child.properties.map(\.change) == [.changed])
    #expect(child.properties.first?.why == "declared by: A, now P")
    let parent = try #require(difference.entities.first { $0.name == "P" })
    #expect(parent.properties.map(\.change) == [.added])
    #expect(difference.isInferable)
  }

  @Test("a property moved to a child is told there")
  func movedDown() throws {
    let attribute = #"<attribute name="x" optional="YES" attributeType="Date"/>"#
    let difference = try difference(
      "<entity name=\"P\">\(attribute)</entity><entity name=\"A\" parentEntity=\"P\"/>",
      "<entity name=\"P\"/><entity name=\"A\" parentEntity=\"P\">\(attribute)</entity>")
    let child = try #require(difference.entities.first { $0.name == "A" })
    #expect(child.properties.first?.why == "declared by: P, now A")
    let parent = try #require(difference.entities.first { $0.name == "P" })
    #expect(parent.properties.map(\.change) == [.removed])
  }

  @Test("two roots under one new parent are more than inference can do")
  func mergedRoots() throws {
    let difference = try difference(
      "<entity name=\"A\"/><entity name=\"B\"/>",
      "<entity name=\"N\"/><entity name=\"A\" parentEntity=\"N\"/>"
        + "<entity name=\"B\" parentEntity=\"N\"/>")
    #expect(!difference.isInferable)
    #expect(
      difference.entities.first { $0.name == "A" }?.why?.contains("cannot merge A and B") == true)
  }

  @Test("one root under a new parent is inferable")
  func newParent() throws {
    let difference = try difference(
      "<entity name=\"A\"/><entity name=\"B\" parentEntity=\"A\"/>",
      "<entity name=\"N\"/><entity name=\"A\" parentEntity=\"N\"/>"
        + "<entity name=\"B\" parentEntity=\"A\"/>")
    #expect(difference.isInferable && difference.hashChanges)
  }

  @Test("an attribute that becomes a relationship is more than inference can do")
  func otherKind() throws {
    let found = try #require(
      try property(
        "<attribute name=\"x\" attributeType=\"Date\"/>",
        "<relationship name=\"x\" destinationEntity=\"Z\"/>"))
    #expect(found.why?.contains("kind: attribute, now relationship") == true)
    #expect(!found.isInferable)
  }

  @Test("equal models differ in nothing")
  func equal() throws {
    let body = #"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#
    let difference = try difference(body, body)
    #expect(difference.isEmpty && difference.isInferable && !difference.hashChanges)
    #expect(difference.entities.map(\.change) == [.same])
  }
}
