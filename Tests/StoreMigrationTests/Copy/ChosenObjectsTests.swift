import CoreDataStore
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

private typealias M = SchemaModels

@Suite("Objects chosen by a condition", .temporaryFolder) struct ChosenObjectsTests {
  private static let models =
    M.entity(
      "Box", M.attribute("name"), M.toMany("cups", "Cup", inverse: "box"),
      M.toMany("tags", "Tag", inverse: "boxes"))
    + M.entity(
      "Cup", M.attribute("name"), M.toOne("box", "Box", inverse: "cups"), M.toOne("maker", "Maker"))
    + M.entity("Tag", M.toMany("boxes", "Box", inverse: "tags")) + M.entity("Maker")

  /// Two boxes with a cup and a tag each, makers behind the cups, in another store.
  private func choose(_ condition: String?, limit: Int = 5) throws -> (chosen: [Int64], [String]) {
    let schema = try M.schema(Self.models)
    let name = "\(limit)"
    let path = samplePath("a\(name).sqlite")
    try StoreFixture.make(at: path, schema: schema) { fixture in
      for name in ["a", "b"] {
        let maker = try fixture.add("Maker")
        let tag = try fixture.add("Tag")
        let cup = try fixture.add("Cup", ["name": .string(name)], links: ["maker": [maker]])
        try fixture.add("Box", ["name": .string(name)], links: ["cups": [cup], "tags": [tag]])
      }
    }
    let chosen = try ChosenObjects(of: ["Box"], where: condition, limit: limit, in: schema)
      .make(at: samplePath("b\(name).sqlite"), of: Store(path))
    let store = try Store(samplePath("b\(name).sqlite"))
    let counts = try ["ZBOX", "ZCUP", "ZTAG", "ZMAKER"].map { table in
      let keys = try store.connection.rows("SELECT Z_PK FROM \(table) ORDER BY 1")
      return "\(table) \(keys.compactMap { $0[0].integer })"
    }
    return (chosen.map(\.key), counts)
  }

  @Test("they come with all that they lead to, and with what that leads to by links to one")
  func choice() throws {
    let (chosen, counts) = try choose("name = 'b'")
    #expect(chosen == [2])
    #expect(counts == ["ZBOX [2]", "ZCUP [2]", "ZTAG [2]", "ZMAKER [2]"])
  }

  @Test("without a condition the first ones are chosen")
  func limit() throws {
    #expect(try choose(nil, limit: 1).chosen == [1])
    #expect(try choose(nil).chosen == [1, 2])
  }

  @Test("a condition or an entity that is not there is an error")
  func mistakes() throws {
    #expect(throws: Failure.self) { try choose("nam = 'b'") }
    let schema = try M.schema(Self.models)
    #expect(throws: Failure.self) {
      try ChosenObjects(of: ["Bux"], where: nil, limit: 1, in: schema)
    }
  }
}
