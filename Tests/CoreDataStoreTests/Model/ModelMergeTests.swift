import CoreDataStore
import StoreTestSupport
import Testing

@Suite("Merging models")
struct ModelMergeTests {
  @Test("the union of entities, shared ones once")
  func union() throws {
    let first = try ModelText.model("<entity name=\"A\"/><entity name=\"S\"/>", name: "One")
    let second = try ModelText.model("<entity name=\"S\"/><entity name=\"B\"/>", name: "Two")
    let merged = try Model(merging: [first, second])
    #expect(merged.entities.map(\.name) == ["A", "B", "S"])
    #expect(merged.name == "One + Two")
  }

  @Test("an entity defined twice and differently names both models")
  func clash() throws {
    let first = try ModelText.model("<entity name=\"S\"/>", name: "One")
    let second = try ModelText.model("<entity name=\"S\" isAbstract=\"YES\"/>", name: "Two")
    let error = #expect(throws: Failure.self) { try Model(merging: [first, second]) }
    #expect(error?.subject == "\"One\" and \"Two\"")
    #expect(error?.why.contains("entity S") == true)
  }

  @Test("nothing merged is an empty model")
  func nothing() throws {
    #expect(try Model(merging: []).entities.isEmpty)
  }
}
