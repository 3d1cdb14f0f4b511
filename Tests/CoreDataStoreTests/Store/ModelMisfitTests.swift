import CoreDataStore
import Formats
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite("Why a model does not fit", .temporaryFolder) struct ModelMisfitTests {
  private func model(_ change: (inout Entity) -> Void) throws -> Model {
    var person = try #require(try StoreSample.model().entity(named: "Person"))
    change(&person)
    return try Model(name: "Yours", entities: [person])
  }

  @Test("without a cache the entities that differ are reported")
  func withoutCache() throws {
    let store = try Store(StoreSample.make())
    #expect(try store.misfits(of: StoreSample.model()).isEmpty)
    let other = try model { $0.attributes[0].isOptional = true }
    #expect(
      try store.misfits(of: other).map(\.description)
        == ["Person is not the same in your model and in the store"])
    let third = try Model(name: "Yours", entities: [Entity(name: "Animal")])
    #expect(
      try store.misfits(of: third).map(\.description)
        == [
          "Animal is in your model, not in the store",
          "Person is in the store, not in your model",
        ])
  }

  @Test("metadata with wrong hashes fit no model")
  func wrongHashes() throws {
    var entries = StoreSample.metadata(of: try StoreSample.model())
    entries["NSStoreModelVersionHashes"] = .dictionary([
      "Person": .data([UInt8](repeating: 1, count: 32))
    ])
    let store = try Store(StoreSample.make(entries: entries))
    #expect(try store.recognise().known == .none)
    #expect(try store.misfits(of: StoreSample.model()).count == 1)
  }
}
