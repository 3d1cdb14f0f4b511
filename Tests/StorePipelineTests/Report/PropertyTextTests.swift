import CoreDataStore
import StorePipeline
import Testing

@Suite("Property text")
struct PropertyTextTests {
  @Test("an attribute is described with what matters first") func attribute() {
    var attribute = Attribute(name: "a", type: .string)
    #expect(PropertyText.summary(of: attribute) == "String")
    attribute.isOptional = true
    attribute.defaultValue = .string("")
    attribute.usesExternalStorage = true
    attribute.renamingIdentifier = "b"
    #expect(
      PropertyText.summary(of: attribute)
        == #"String, optional, default "", external storage, was b"#)
  }

  @Test("a relationship is described by where it leads") func relationship() {
    var relationship = Relationship(name: "r", destination: "D")
    relationship.isOrdered = true
    relationship.deleteRule = .cascade
    #expect(
      PropertyText.summary(of: relationship)
        == "to-many D, ordered, no inverse, delete rule Cascade")
    relationship.maxCount = 1
    relationship.inverseName = "i"
    relationship.deleteRule = .nullify
    relationship.isOrdered = false
    #expect(PropertyText.summary(of: relationship) == "to-one D, inverse i")
  }

  @Test("properties are counted by kind") func count() {
    let properties: [any Property] = [
      Attribute(name: "a", type: .date), FetchedProperty(name: "f"), FetchedProperty(name: "g"),
    ]
    #expect(PropertyText.count(of: properties) == "1 attribute, 2 fetched properties")
    #expect(PropertyText.count(of: []) == "no properties")
  }
}
