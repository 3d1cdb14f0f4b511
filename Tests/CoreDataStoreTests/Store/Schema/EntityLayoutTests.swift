import CoreDataStore
import StoreTestSupport
import Testing

private typealias M = SchemaModels

@Suite("One entity's layout") struct EntityLayoutTests {
  @Test("its properties are listed by name, inherited ones among them")
  func properties() throws {
    let schema = try M.schema(
      M.entity("A", M.attribute("b"), M.attribute("Z")),
      M.entity("B", parent: "A", M.attribute("a"), M.toOne("c", "A")))
    let layout = try #require(schema.entity(named: "B"))
    #expect(layout.properties == ["Z", "a", "b", "c"])
    #expect(layout["a"] != nil && layout["d"] == nil)
  }

  @Test("it has sub-entities when its family has more numbers than its own")
  func family() throws {
    let schema = try M.schema(M.entity("A"), M.entity("B", parent: "A"), M.entity("C"))
    #expect(schema.entities.map(\.hasSubentities) == [true, false, false])
  }
}
