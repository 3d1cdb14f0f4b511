import CoreDataStore
import Formats
import StoreTestSupport
import Testing

@Suite("Entities of a compiled model")
struct CompiledEntitiesTests {
  private func read(
    _ make: (inout ArchiveMaker) -> [String: PropertyList]
  ) throws -> Model {
    var maker = ArchiveMaker()
    let entities = maker.add(table: make(&maker))
    let root = maker.add("NSManagedObjectModel", ["NSEntities": entities])
    return try CompiledModelReader.read(maker.bytes(root: root), name: "T")
  }

  @Test("entities that are their own parents are refused")
  func circle() throws {
    let error = #expect(throws: Failure.self) {
      try read { maker in
        let name = maker.add(.string("A"))
        let entity = maker.add("NSEntityDescription", ["NSEntityName": name])
        maker.set("NSSuperentity", of: entity, to: entity)
        return ["A": entity]
      }
    }
    #expect(error?.why.contains("circle") == true)
  }

  @Test("two entities of one name are refused, and one without a name") func names() throws {
    let twins = #expect(throws: Failure.self) {
      try read { maker in
        let name = maker.add(.string("A"))
        let both = [0, 1].map { _ in maker.add("NSEntityDescription", ["NSEntityName": name]) }
        return ["A": both[0], "B": both[1]]
      }
    }
    #expect(twins?.why == "Two entities have this name." && twins?.subject == "entity A")
    let nameless = #expect(throws: Failure.self) {
      try read { ["A": $0.add("NSEntityDescription", [:])] }
    }
    #expect(nameless?.why == "An entity has no name.")
  }

  @Test("what a child has in its parent's words is its parent's") func inherited() throws {
    let model = try read { maker in
      let (parent, child) = (maker.add(.string("A")), maker.add(.string("B")))
      let properties = ["x", "y"].map { name in
        let text = maker.add(.string(name))
        return maker.add(
          "NSAttributeDescription", ["NSPropertyName": text, "NSAttributeType": .integer(700)])
      }
      let own = maker.add(table: ["x": properties[0]])
      let both = maker.add(table: ["x": properties[0], "y": properties[1]])
      let root = maker.add(
        "NSEntityDescription", ["NSEntityName": parent, "NSProperties": own])
      let leaf = maker.add(
        "NSEntityDescription",
        ["NSEntityName": child, "NSProperties": both, "NSSuperentity": root])
      return ["A": root, "B": leaf]
    }
    #expect(model.entity(named: "A")?.propertyNames == ["x"])
    #expect(model.entity(named: "B")?.propertyNames == ["y"])
  }
}
