import CoreDataStore
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

private typealias M = SchemaModels

@Suite("Objects of a store, read one by one", .temporaryFolder) struct StoredObjectsTests {
  private func store() throws -> StoredObjects {
    let schema = try M.schema(
      M.entity(
        "Box", M.attribute("name"),
        M.attribute("file", "Binary", "allowsExternalBinaryDataStorage=\"YES\""),
        M.toMany("cups", "Cup", inverse: "box", ordered: true))
        + M.entity("Cup", M.toOne("box", "Box", inverse: "cups")) + M.entity("Mug", parent: "Cup"))
    let path = samplePath("a.sqlite")
    try StoreFixture.make(at: path, schema: schema) { fixture in
      let cup = try fixture.add("Cup")
      let mug = try fixture.add("Mug")
      try fixture.add(
        "Box",
        ["name": .string("b"), "file": .binary(Array(repeating: 1, count: 150_000))],
        links: ["cups": [mug, cup]])
    }
    return try StoredObjects(path, schema: schema)
  }

  @Test("objects of the very entity, their values and links")
  func read() throws {
    let store = try store()
    #expect(try store.all(of: "Cup") == [ObjectID(entity: "Cup", key: 1)])
    #expect(try store.all(of: "Mug") == [ObjectID(entity: "Mug", key: 2)])
    let box = try #require(try store.all(of: "Box").first)
    #expect(try store.value("name", of: box) == .string("b"))
    #expect(try store.destinations("cups", of: box).map(\.key) == [2, 1])
    #expect(try store.destinations("box", of: ObjectID(entity: "Mug", key: 2)) == [box])
    guard case .external(let reference) = try store.value("file", of: box) else {
      Issue.record("the value is not in a file")
      return
    }
    #expect(try store.bytes(of: reference).count == 150_000)
  }

  @Test("names that are not there are errors with the nearest one")
  func names() throws {
    let store = try store()
    let box = ObjectID(entity: "Box", key: 1)
    #expect(throws: Failure.self) { try store.all(of: "Bux") }
    let error = #expect(throws: Failure.self) { try store.value("nam", of: box) }
    #expect(error?.why.contains("did you mean name?") == true)
  }
}
