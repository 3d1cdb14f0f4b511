import CoreDataStore
import Formats
import StoreTestSupport
import Testing

@Suite("Reading a compiled model")
struct CompiledModelReaderTests {
  @Test("a model without entities says what is missing, and not that it is no model")
  func noEntities() {
    var maker = ArchiveMaker()
    let root = maker.add("NSManagedObjectModel", [:])
    let error = #expect(throws: Failure.self) {
      try CompiledModelReader.read(maker.bytes(root: root), name: "T")
    }
    #expect(error?.why == "Its data model has no list of entities.")
  }

  @Test("a model of one entity, by what it is called and what it declares") func one() throws {
    let entity = try CompiledSample.entity { maker in
      let text = maker.add(.string("x"))
      return maker.add(
        "NSAttributeDescription", ["NSPropertyName": text, "NSAttributeType": .integer(900)])
    }
    #expect(entity.propertyNames == ["x"] && entity.attributes.first?.type == .date)
  }
}
