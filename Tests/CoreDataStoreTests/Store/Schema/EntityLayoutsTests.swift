import CoreDataStore
import StoreTestSupport
import Testing

private typealias M = SchemaModels

@Suite("Where properties are") struct EntityLayoutsTests {
  private func storage(
    _ property: String, of entity: String, _ entities: String...
  ) throws -> PropertyStorage? {
    let model = try ModelText.model(entities.joined())
    return try StoreSchema(of: model).entity(named: entity)?[property]
  }

  @Test("an attribute is a column, and a sub-entity has what its parent has")
  func attributes() throws {
    let schema = try M.schema(
      M.entity("A", M.attribute("x")),
      M.entity("B", parent: "A", M.attribute("y", "Integer 16")))
    let sub = try #require(schema.entity(named: "B"))
    #expect(sub["x"] == schema.entity(named: "A")?["x"])
    #expect(sub["x"]?.columns.map(\.name) == ["ZX"])
    #expect(sub["y"]?.columns.map(\.type) == [.integer])
    #expect(schema.entity(named: "A")?["y"] == nil)
  }

  @Test(
    "what has no column says why",
    arguments: [
      ("<attribute name=\"p\" attributeType=\"String\" transient=\"YES\"/>", .transient),
      ("<attribute name=\"p\" attributeType=\"Undefined\"/>", .undefined),
      ("<fetchedProperty name=\"p\"/>", .fetched),
      (
        "<relationship name=\"p\" destinationEntity=\"A\" maxCount=\"1\" transient=\"YES\"/>",
        .transient
      ),
    ] as [(String, PropertyStorage.Reason)])
  func notStored(property: String, reason: PropertyStorage.Reason) throws {
    #expect(try storage("p", of: "A", M.entity("A", property)) == .notStored(reason))
  }

  @Test("a to-one into a family has a second column, one of an ordered inverse a third")
  func toOne() throws {
    let found = try storage(
      "owner", of: "Item",
      M.entity("Item", M.toOne("owner", "Person", inverse: "items")),
      M.entity("Person", M.toMany("items", "Item", inverse: "owner", ordered: true)),
      M.entity("Child", parent: "Person"))
    guard case .toOne(let one) = found else {
      Issue.record("it is no to-one")
      return
    }
    #expect(one.key.name == "ZOWNER" && one.entity?.name == "Z2_OWNER")
    #expect(one.position?.name == "Z_FOK_OWNER")
    #expect(found?.columns.count == 3)
  }

  @Test("a to-many is where its inverse is, without one in a column of its own")
  func toMany() throws {
    let inverse = try storage(
      "items", of: "Person", M.entity("Item", M.toOne("owner", "Person", inverse: "items")),
      M.entity("Person", M.toMany("items", "Item", inverse: "owner")))
    let alone = try storage(
      "items", of: "Person", M.entity("Item"), M.entity("Person", M.toMany("items", "Item")))
    guard case .toMany(let one) = inverse, case .toMany(let other) = alone else {
      Issue.record("they are no to-manys")
      return
    }
    #expect(one.table == "ZITEM" && one.key.name == "ZOWNER" && one.hasInverse)
    #expect(other.table == "ZITEM" && other.key.name == "Z2ITEMS" && !other.hasInverse)
    #expect(inverse?.columns.isEmpty == true)
  }
}
