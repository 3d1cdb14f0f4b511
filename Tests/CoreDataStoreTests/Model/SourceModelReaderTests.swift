import CoreDataStore
import Foundation
import Testing

@Suite("Reading a model's XML")
struct SourceModelReaderTests {
  private func attribute(_ settings: String) throws -> Attribute {
    let model = try ModelText.model(
      "<entity name=\"A\"><attribute name=\"x\" \(settings)/></entity>")
    return try #require(model.entity(named: "A")?.attribute(named: "x"))
  }

  @Test("every attribute type by its name", arguments: AttributeType.allCases)
  func types(type: AttributeType) throws {
    guard type != .composite else { return }
    #expect(try attribute("attributeType=\"\(type.name)\"").type == type)
    #expect(AttributeType(code: Int64(try #require(type.code))) == type)
  }

  @Test(
    "defaults have the attribute's type",
    arguments: [
      ("Integer 16", "-7", ModelConstant.integer(-7)), ("Boolean", "YES", .boolean(true)),
      ("Boolean", "0", .boolean(false)), ("Double", "1.5", .real(1.5)),
      ("Decimal", "0.10", .decimal(Decimal(sign: .plus, exponent: -1, significand: 1))),
      ("String", "", .string("")), ("URI", "a:b", .uri("a:b")),
      ("Integer 64", "many", .string("many")),
    ])
  func defaults(type: String, text: String, value: ModelConstant) throws {
    let settings = "attributeType=\"\(type)\" defaultValueString=\"\(text)\""
    #expect(try attribute(settings).defaultValue == value)
  }

  @Test("an empty default of anything but text is none")
  func emptyDefault() throws {
    #expect(try attribute("attributeType=\"Date\" defaultValueString=\"\"").defaultValue == nil)
    #expect(
      try attribute("attributeType=\"Date\" defaultDateTimeInterval=\"-978307200\"").defaultValue
        == .date(-978_307_200))
  }

  @Test("bounds are lengths for text and values for numbers and dates")
  func validation() throws {
    #expect(
      try attribute(
        """
        attributeType="String" maxValueString="9" minValueString="2"
        regularExpressionString="a+"
        """
      ).validation == [.minimumLength(2), .maximumLength(9), .matches("a+")])
    #expect(
      try attribute(#"attributeType="Integer 32" maxValueString="9""#).validation
        == [.maximum(.integer(9))])
    #expect(
      try attribute(#"attributeType="Date" minDateTimeInterval="100""#).validation
        == [.minimum(.date(100))])
  }

  @Test("an entity with everything")
  func everything() throws {
    let model = try ModelText.model(
      """
      <entity name="Item" representedClassName="Item" isAbstract="YES" elementID="Thing">
        <attribute name="name" attributeType="String">
          <userInfo><entry key="k" value="v"/></userInfo>
        </attribute>
        <relationship name="boxes" optional="YES" toMany="YES" deletionRule="Deny" ordered="YES"
          destinationEntity="Box" inverseName="item" inverseEntity="Box"/>
        <fetchedProperty name="similar" optional="YES">
          <fetchRequest name="r" entity="Item" predicateString="name == $FETCH_SOURCE.name"/>
        </fetchedProperty>
        <fetchIndex name="byName" partialIndexPredicate="name != nil">
          <fetchIndexElement property="name" type="Binary" order="descending"/>
          <fetchIndexElement expression="length:(name)" type="RTree" order="ascending"/>
        </fetchIndex>
        <compoundIndexes><compoundIndex><index value="name"/></compoundIndex></compoundIndexes>
      </entity>
      <entity name="Box"><relationship name="item" maxCount="1" minCount="1"
        deletionRule="Cascade" destinationEntity="Item" inverseName="boxes"/></entity>
      <entity name="Big" parentEntity="Box"/>
      <fetchRequest name="all" entity="Box"/>
      <configuration name="Main"><memberEntity name="Box"/></configuration>
      """)
    let item = try #require(model.entity(named: "Item"))
    #expect(item.isAbstract && item.renamingName == "Thing" && item.className == "Item")
    #expect(item.attributes[0].userInfo == ["k": "v"])
    let boxes = item.relationships[0]
    #expect(boxes.isToMany && boxes.isOrdered && boxes.deleteRule == .deny)
    #expect(model.inverse(of: boxes)?.declaredBy.name == "Box")
    #expect(item.fetchedProperties[0].request?.predicate?.unreadable == nil)
    let index = item.fetchIndexes[0]
    #expect(index.isRTree && !index.elements[0].isAscending)
    #expect(index.elements[1].subject == .expression(.function("length:", [.keyPath("name")])))
    #expect(index.predicate?.description == "name != nil")
    #expect(item.compoundIndexes == [["name"]])
    #expect(model.fetchRequests.map(\.name) == ["all"])
    #expect(model.configurations == ["Main": ["Box"]])
    #expect(model.roots.map(\.name) == ["Box", "Item"])
    let box = try #require(model.entity(named: "Box"))
    #expect(model.family(of: box).map(\.name) == ["Big", "Box"].reversed())
    let big = try #require(model.entity(named: "Big"))
    #expect(model.allRelationships(of: big).map(\.name) == ["item"])
    #expect(model.relationship(named: "item", of: big)?.declaredBy.name == "Box")
  }

  @Test("composites within composites are unfolded")
  func composites() throws {
    let model = try ModelText.model(
      """
      <entity name="A"><attribute name="x" attributeType="Composite" composite="Outer"/></entity>
      <composite name="Outer">
        <attribute name="in" attributeType="Composite" composite="Inner"/></composite>
      <composite name="Inner"><attribute name="n" attributeType="Double"/></composite>
      """)
    let attribute = model.entity(named: "A")?.attribute(named: "x")
    #expect(attribute?.elements.first?.elements.map(\.name) == ["n"])
  }

  @Test(
    "what does not fit together is named",
    arguments: [
      (#"<entity name="A" parentEntity="A"/>"#, "circle: A, A"),
      (#"<entity name="A" parentEntity="B"/><entity name="B" parentEntity="A"/>"#, "circle"),
      (#"<entity name="A" parentEntity="Z"/>"#, "parent entity Z is not in the model"),
      (#"<entity name="A"/><entity name="A"/>"#, "Two entities have this name"),
      ("<entity/>", "<entity> has no name"),
      (#"<entity name="A"><attribute attributeType="Date"/></entity>"#, "has no name"),
      (
        #"<entity name="A"><attribute name="x"/><attribute name="x"/></entity>"#,
        "Two properties have the name x"
      ),
      (
        #"<entity name="A"><relationship name="r" destinationEntity="Z"/></entity>"#,
        "destination entity Z is not in the model"
      ),
      (#"<entity name="A"><relationship name="r"/></entity>"#, "no destination entity"),
      (
        """
        <entity name="A"><relationship name="r" destinationEntity="A" inverseName="q"/>
        </entity>
        """,
        "inverse A.q is not in the model"
      ),
      (
        #"<entity name="A"><relationship name="r" destinationEntity="A" maxCount="x"/></entity>"#,
        "not a whole number"
      ),
      (
        """
        <entity name="A"><relationship name="r" destinationEntity="A" deletionRule="x"/>
        </entity>
        """,
        "delete rule"
      ),
      (
        #"<entity name="A"><attribute name="x" attributeType="Composite" composite="Z"/></entity>"#,
        "composite Z is not in the model"
      ),
      (
        """
        <entity name="A"><attribute name="x" attributeType="Composite" composite="C"/></entity>
        <composite name="C">
        <attribute name="x" attributeType="Composite" composite="C"/></composite>
        """, "contains itself"
      ),
      (
        #"<configuration name="M"><memberEntity name="Z"/></configuration>"#,
        "entity Z is not in the model"
      ),
    ])
  func misfits(body: String, why: String) throws {
    let error = #expect(throws: ModelError.self) { try ModelText.model(body) }
    #expect(error?.why.contains(why) == true, "\(error?.why ?? "")")
    #expect(error?.remedy.isEmpty == false)
  }
}
