import CoreDataStore
import Formats
import StoreTestSupport
import Testing

@Suite("Fetch indexes of a compiled model")
struct CompiledIndexReaderTests {
  private func indexes(
    _ element: [String: PropertyList], name: String? = "i"
  ) throws -> [FetchIndex] {
    try CompiledSample.entity(fields: { maker in
      var fields = element
      fields["NSPropertyName"] = maker.add(.string("a"))
      let elements = maker.add(list: [maker.add("NSFetchIndexElementDescription", fields)])
      var index = ["NSIndexElements": elements]
      if let name { index["NSIndexName"] = maker.add(.string(name)) }
      let description = maker.add("NSFetchIndexDescription", index)
      return ["NSFetchIndexDescriptions": maker.add(list: [description])]
    }).fetchIndexes
  }

  @Test(
    "an element has its kind and its direction",
    arguments: [
      ([:], "i (a)"), (["NSAscending": .bool(false)], "i (a descending)"),
      (["NSFetchIndexElementType": .integer(1)], "i (a r-tree)"),
    ] as [([String: PropertyList], String)])
  func element(fields: [String: PropertyList], words: String) throws {
    #expect(try indexes(fields).map(\.description) == [words])
  }

  @Test("an index without a name is left out") func nameless() throws {
    #expect(try indexes([:], name: nil).isEmpty)
  }
}
