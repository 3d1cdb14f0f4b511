import CoreDataStore
import StoreTestSupport
import Testing

private typealias M = SchemaModels

@Suite("Names in a schema") struct SchemaNamesTests {
  @Test(
    "a name that cannot stand in SQL is refused",
    arguments: ["a b", "a;b", "a\u{22}b", "a)b", "a-b", "a\u{a0}b"])
  func refused(name: String) throws {
    var entity = Entity(name: "Item")
    entity.attributes = [Attribute(name: name, type: .string)]
    let asProperty = try Model(name: "Test", entities: [entity])
    let asEntity = try Model(name: "Test", entities: [Entity(name: name)])
    for model in [asProperty, asEntity] {
      let error = #expect(throws: Failure.self) { try StoreSchema(of: model) }
      #expect(error?.what == "cannot lay out a store for the model")
    }
  }

  @Test("letters of all alphabets are allowed")
  func letters() throws {
    let schema = try M.schema(M.entity("Größe", M.attribute("länge_2")))
    #expect(schema.tables[0].name == "ZGRÖSSE")
    #expect(schema.tables[0].columns.last?.name == "ZLÄNGE_2")
  }

  @Test("two tables of one name are refused, and one of a name that every store has")
  func tables() throws {
    #expect(throws: Failure.self) { try M.schema(M.entity("User"), M.entity("USER")) }
    #expect(throws: Failure.self) { try M.schema(M.entity("_metadata")) }
  }
}
