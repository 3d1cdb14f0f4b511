import CoreDataStore
import Formats
import Testing

@Suite("Reading a compiled model")
struct CompiledModelReaderTests {
  /// A model of one entity with one property.
  private func model(_ property: (inout ArchiveMaker) -> PropertyList) throws -> Entity {
    var maker = ArchiveMaker()
    let properties = maker.add(table: ["x": property(&maker)])
    let name = maker.add(.string("A"))
    let entity = maker.add(
      "NSEntityDescription", ["NSEntityName": name, "NSProperties": properties])
    let entities = maker.add(table: ["A": entity])
    let root = maker.add("NSManagedObjectModel", ["NSEntities": entities])
    let model = try CompiledModelReader.read(maker.bytes(root: root), name: "T")
    return try #require(model.entity(named: "A"))
  }

  private func attribute(_ type: Int64, _ fields: [String: PropertyList] = [:]) throws -> Attribute
  {
    let entity = try model { maker in
      let name = maker.add(.string("x"))
      let own =
        ["NSPropertyName": name, "NSAttributeType": .integer(type)] as [String: PropertyList]
      return maker.add("NSAttributeDescription", own.merging(fields) { $1 })
    }
    return try #require(entity.attributes.first)
  }

  @Test("flags of storage")
  func flags() throws {
    let attribute = try attribute(1000, ["NSFlagsKey": .integer(20), "NSIsOptional": .bool(true)])
    #expect(attribute.usesExternalStorage && attribute.isPreservedAfterDeletion)
    #expect(attribute.isOptional && !attribute.isTransient && attribute.type == .binary)
  }

  @Test("numbers become values of the attribute's type")
  func defaults() throws {
    #expect(try attribute(800, ["NSDefaultValue": .integer(1)]).defaultValue == .boolean(true))
    #expect(try attribute(500, ["NSDefaultValue": .integer(2)]).defaultValue == .real(2))
    #expect(try attribute(200, ["NSDefaultValue": .bool(false)]).defaultValue == .integer(0))
    #expect(try attribute(300, ["NSDefaultValue": .uid(0)]).defaultValue == nil)
  }

  @Test("a type that is not known keeps its number, and makes the hash uncertain")
  func unknownType() throws {
    let attribute = try attribute(2200)
    #expect(attribute.type == .unknown("2200"))
    let model = try Model(name: "T", entities: [Entity(name: "A")])
    #expect(VersionHashes(of: model).uncertain.isEmpty)
  }

  @Test("a relationship by names alone")
  func relationship() throws {
    let entity = try model { maker in
      let (name, destination) = (maker.add(.string("x")), maker.add(.string("A")))
      return maker.add(
        "NSRelationshipDescription",
        [
          "NSPropertyName": name, "_NSDestinationEntityName": destination,
          "_NSInverseRelationshipName": name, "NSMaxCount": .integer(1),
          "NSDeleteRule": .integer(2), "NSIsOrdered": .bool(true),
        ])
    }
    let relationship = try #require(entity.relationships.first)
    #expect(!relationship.isToMany && relationship.isOrdered)
    #expect(relationship.deleteRule == .cascade && relationship.inverseEntity == "A")
  }

  @Test("a model without entities says what is missing, and not that it is no model")
  func noEntities() {
    var maker = ArchiveMaker()
    let root = maker.add("NSManagedObjectModel", [:])
    let error = #expect(throws: ModelError.self) {
      try CompiledModelReader.read(maker.bytes(root: root), name: "T")
    }
    #expect(error?.why == "Its data model has no list of entities.")
  }

  @Test("entities that are their own parents are refused")
  func circle() throws {
    var maker = ArchiveMaker()
    let name = maker.add(.string("A"))
    let entity = maker.add("NSEntityDescription", ["NSEntityName": name])
    maker.set("NSSuperentity", of: entity, to: entity)
    let entities = maker.add(table: ["A": entity])
    let root = maker.add("NSManagedObjectModel", ["NSEntities": entities])
    let error = #expect(throws: ModelError.self) {
      try CompiledModelReader.read(maker.bytes(root: root), name: "T")
    }
    #expect(error?.why.contains("circle") == true)
  }

  @Test("a composite that contains itself is refused")
  func compositeCircle() throws {
    #expect(throws: ModelError.self) {
      try model { maker in
        let name = maker.add(.string("x"))
        let composite = maker.add(
          "NSAttributeDescription", ["NSPropertyName": name, "NSAttributeType": .integer(2100)])
        let list = maker.add(list: [composite])
        maker.set("NSElements", of: composite, to: list)
        return composite
      }
    }
  }
}
