import CoreDataStore
import StoreTestSupport
import Testing

@Suite("Inheritance")
struct ModelInheritanceTests {
  private static let body = """
    <entity name="A"><attribute name="x" attributeType="Date"/>
      <relationship name="r" destinationEntity="D" inverseName="q" inverseEntity="C"/></entity>
    <entity name="B" parentEntity="A"><attribute name="a" attributeType="Date"/></entity>
    <entity name="C" parentEntity="A"><relationship name="q" destinationEntity="A"
      inverseName="r" inverseEntity="A"/></entity>
    <entity name="D" parentEntity="C"/><entity name="E"/>
    """

  private func entities(_ names: String...) throws -> (Model, [Entity]) {
    let model = try ModelText.model(Self.body)
    return (model, try names.map { try #require(model.entity(named: $0)) })
  }

  @Test("a lineage goes up to the root, descendants go down, each child with its own")
  func lines() throws {
    let (model, found) = try entities("A", "D", "E")
    #expect(model.lineage(of: found[1]).map(\.name) == ["D", "C", "A"])
    #expect(model.descendants(of: found[0]).map(\.name) == ["A", "B", "C", "D"])
    #expect(model.root(of: found[1]) == found[0] && model.root(of: found[2]) == found[2])
    #expect(model.family(of: found[1]).map(\.name) == ["A", "B", "C", "D"])
  }

  @Test("an entity inherits from itself and its ancestors, and from nobody else")
  func inherits() throws {
    let (model, found) = try entities("A", "D", "B")
    #expect(model.entity(found[1], inheritsFrom: found[0]))
    #expect(model.entity(found[1], inheritsFrom: found[1]))
    #expect(!model.entity(found[0], inheritsFrom: found[1]))
    #expect(!model.entity(found[1], inheritsFrom: found[2]))
  }

  @Test("inherited properties are among its own, and who declares them is known")
  func properties() throws {
    let (model, found) = try entities("B", "D")
    #expect(model.allAttributes(of: found[0]).map(\.name) == ["a", "x"])
    #expect(model.allRelationships(of: found[1]).map(\.name) == ["q", "r"])
    #expect(model.attribute(named: "x", of: found[0])?.declaredBy.name == "A")
    #expect(model.attribute(named: "a", of: found[1]) == nil)
    #expect(model.relationship(named: "q", of: found[1])?.declaredBy.name == "C")
  }

  @Test("an inverse is found where it is declared") func inverse() throws {
    let (model, found) = try entities("A")
    let inverse = try #require(model.inverse(of: found[0].relationships[0]))
    #expect(inverse.relationship.name == "q" && inverse.declaredBy.name == "C")
  }
}
