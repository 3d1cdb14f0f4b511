import CoreDataStore
import StoreTestSupport
import Testing

private typealias M = SchemaModels

@Suite("Entity numbers") struct NumberedModelTests {
  @Test("roots go by name whatever the case, each followed by its own descendants")
  func order() throws {
    let schema = try M.schema(
      M.entity("beta"), M.entity("Alpha"), M.entity("Gamma"), M.entity("delta", parent: "beta"),
      M.entity("Carol", parent: "beta"), M.entity("Zed", parent: "Carol"))
    #expect(schema.entities.map(\.name) == ["Alpha", "beta", "Carol", "Zed", "delta", "Gamma"])
    #expect(schema.entities.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(schema.entities.map(\.parentNumber) == [0, 0, 2, 3, 2, 0])
    #expect(schema.entities.map(\.family) == [1...1, 2...5, 3...4, 4...4, 5...5, 6...6])
    #expect(schema.entity(number: 4)?.name == "Zed")
    #expect(schema.entity(number: 0) == nil)
    #expect(schema.entity(number: 7) == nil)
  }

  @Test("names that differ in case alone keep the order of names")
  func sameLetters() throws {
    let schema = try M.schema(
      M.entity("Root"), M.entity("ab", parent: "Root"), M.entity("aB", parent: "Root"))
    #expect(schema.entities.map(\.name) == ["Root", "aB", "ab"])
  }

  @Test("abstract entities have numbers and a table like any other")
  func abstract() throws {
    let schema = try M.schema(M.entity("Base", abstract: true), M.entity("Real", parent: "Base"))
    #expect(schema.entities.map(\.isAbstract) == [true, false])
    #expect(schema.entities.map(\.table) == ["ZBASE", "ZBASE"])
    #expect(schema.tables.map(\.entities) == [["Base", "Real"]])
    #expect(schema.entity(named: "Base")?.hasSubentities == true)
    #expect(schema.entity(named: "Real")?.hasSubentities == false)
  }
}
