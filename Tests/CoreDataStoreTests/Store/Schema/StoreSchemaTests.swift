import CoreDataStore
import StoreTestSupport
import Testing

private typealias M = SchemaModels

@Suite("The schema of a model") struct StoreSchemaTests {
  @Test(
    "a number that no entity has finds none, whatever it is",
    arguments: [Int.min, -1, 0, 3, Int.max])
  func noEntity(number: Int) throws {
    #expect(try M.schema(M.entity("A"), M.entity("B")).entity(number: number) == nil)
  }

  @Test("entities and tables are found by number and name, and through each other")
  func found() throws {
    let schema = try M.schema(
      M.entity("A", M.toMany("bs", "B", inverse: "as")), M.entity("Sub", parent: "A"),
      M.entity("B", M.toMany("as", "A", inverse: "bs")))
    #expect((1...3).map { schema.entity(number: $0)?.name } == ["A", "Sub", "B"])
    let sub = try #require(schema.entity(named: "Sub"))
    #expect(schema.table(of: sub) == schema.table(named: "ZA"))
    #expect(schema.table(named: "ZSUB") == nil && schema.entity(named: "C") == nil)
    #expect(schema.joinTable(named: "Z_1BS")?.first == "Z_1AS")
    #expect(schema.joinTable(named: "ZA") == nil)
  }

  @Test(
    "a table of the model with the name of one that Core Data needs is refused",
    arguments: ["_METADATA", "_primarykey"])
  func reserved(name: String) throws {
    let error = #expect(throws: Failure.self) { try M.schema(M.entity(name)) }
    #expect(error?.why.contains("the same name") == true)
  }

  @Test("a table that the other relationship names in a store is taken as it is")
  func masters() throws {
    let model = try ModelText.model(
      M.entity(
        "Node", M.toMany("links", "Node", inverse: "backs"),
        M.toMany("backs", "Node", inverse: "links"), M.toMany("tags", "Tag", inverse: "nodes"))
        + M.entity("Tag", M.toMany("nodes", "Node", inverse: "tags")))
    let masters = { (tables: [String]) in try StoreSchema.masters(of: model, among: tables) }
    #expect(try masters(["Z_1BACKS", "Z_1TAGS"]) == [PropertyReference("Node", "backs")])
    #expect(try masters(["Z_1LINKS", "Z_1TAGS"]).isEmpty)
    #expect(try masters([]).isEmpty)
    let schema = try StoreSchema(of: model, masters: masters(["Z_1BACKS"]))
    #expect(schema.joinTables.map(\.name) == ["Z_1BACKS", "Z_1TAGS"])
  }
}
