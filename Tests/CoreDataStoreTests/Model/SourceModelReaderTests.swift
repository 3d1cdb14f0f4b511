import CoreDataStore
import StoreTestSupport
import Testing

@Suite("Reading a model's XML")
struct SourceModelReaderTests {
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

  @Test(
    "the identifier is taken as it stands, the empty one that Xcode gives included",
    arguments: [
      ("", []), (" userDefinedModelVersionIdentifier=\"\"", [""]),
      (" userDefinedModelVersionIdentifier=\"2\"", ["2"]),
    ])
  func identifier(attribute: String, identifiers: [String]) throws {
    let model = try SourceModelReader.read(Array("<model\(attribute)/>".utf8), name: "M")
    #expect(model.versionIdentifiers == identifiers)
    #expect(try SourceModelReader.read(Array(ModelWriter(model).xml.utf8), name: "M") == model)
  }

  @Test(
    "what does not fit together is named",
    arguments: [
      ("<entity/>", "<entity> has no name"),
      (#"<entity name="A"><attribute attributeType="Date"/></entity>"#, "has no name"),
    ])
  func misfits(body: String, why: String) throws {
    let error = #expect(throws: Failure.self) { try ModelText.model(body) }
    #expect(error?.why.contains(why) == true, "\(error?.why ?? "")")
    #expect(error?.remedy.isEmpty == false)
  }
}
