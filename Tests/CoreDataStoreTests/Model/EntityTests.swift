import CoreDataStore
import Testing

@Suite("Entity")
struct EntityTests {
  private static func entity() -> Entity {
    var entity = Entity(name: "A")
    entity.attributes = ["b", "B", "a"].map { Attribute(name: $0, type: .string) }
    entity.relationships = ["z", "y"].map { Relationship(name: $0, destination: "A") }
    return entity
  }

  @Test("what it declares is kept in the order of names, and found by name") func order() {
    var entity = Self.entity()
    entity.uniquenessConstraints = [["b"], ["a", "b"], ["a"]]
    entity.fetchIndexes = ["j", "i"].map { FetchIndex(name: $0, elements: []) }
    #expect(entity.propertyNames == ["B", "a", "b", "y", "z"])
    #expect(entity.uniquenessConstraints == [["a"], ["a", "b"], ["b"]])
    #expect(entity.fetchIndexes.map(\.name) == ["i", "j"])
    #expect(entity.attribute(named: "b")?.name == "b" && entity.attribute(named: "c") == nil)
    #expect(entity.relationship(named: "z")?.name == "z" && entity.relationship(named: "a") == nil)
  }

  @Test("an indexed attribute that is stored has an index of its name") func impliedIndexes() {
    var entity = Self.entity()
    for place in 0...1 { entity.attributes[place].isIndexed = true }
    entity.attributes[1].isTransient = true
    #expect(entity.impliedIndexes.map(\.description) == ["B (B)"])
  }

  @Test("a migration finds it by its identifier, or by its name where it has none") func renaming()
  {
    var entity = Self.entity()
    #expect(entity.renamingName == "A")
    entity.renamingIdentifier = "Old"
    #expect(entity.renamingName == "Old")
  }
}
