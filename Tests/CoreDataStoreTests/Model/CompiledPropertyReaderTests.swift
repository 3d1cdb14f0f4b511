import CoreDataStore
import Formats
import StoreTestSupport
import Testing

@Suite("Relationships of a compiled model")
struct CompiledPropertyReaderTests {
  @Test("a relationship by names alone")
  func relationship() throws {
    let entity = try CompiledSample.entity { maker in
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

  @Test("a fetched property has the name that Xcode gives its request") func fetched() throws {
    let entity = try CompiledSample.entity { maker in
      let (name, fetched) = (maker.add(.string("x")), maker.add(.string("A")))
      let request = maker.add("NSFetchRequest", [:])
      return maker.add(
        "NSFetchedPropertyDescription",
        [
          "NSPropertyName": name, "NSFetchRequest": request, "_NSFetchRequestEntityName": fetched,
          "NSIsOptional": .bool(true),
        ])
    }
    let property = try #require(entity.fetchedProperties.first)
    #expect(property.request == FetchRequest(name: "fetchedPropertyFetchRequest", entity: "A"))
    #expect(property.isOptional)
  }
}
