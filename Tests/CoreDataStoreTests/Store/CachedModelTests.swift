import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("A store's own model", .temporaryFolder) struct CachedModelTests {
  /// The archive of a model of one entity, `Person`.
  private func archive(of modifier: String? = nil) throws -> [UInt8] {
    var maker = ArchiveMaker()
    var fields = ["NSEntityName": maker.add(.string("Person"))]
    if let modifier { fields["NSVersionHashModifier"] = maker.add(.string(modifier)) }
    let entity = maker.add("NSEntityDescription", fields)
    let entities = maker.add(table: ["Person": entity])
    let root = maker.add("NSManagedObjectModel", ["NSEntities": entities])
    return try maker.bytes(root: root)
  }

  /// A store whose cache has these rows, and whose metadata is of the entity `Person` alone.
  private func store(_ rows: [Value], identifiers: [String] = []) throws -> Store {
    let model = try Model(
      name: "M", entities: [Entity(name: "Person")], versionIdentifiers: identifiers)
    let path = try StoreSample.make(entries: StoreSample.metadata(of: model)) { store in
      try store.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
      for row in rows { try store.run("INSERT INTO Z_MODELCACHE VALUES (?1)", [row]) }
    }
    return try Store(path)
  }

  @Test("it is read, named after the version's identifiers, and has the store's hashes")
  func read() throws {
    let content = try Deflate.compress(archive())
    let store = try store([.blob(content)], identifiers: ["B", "A"])
    #expect(try store.modelCacheContent() == content)
    let model = try #require(try store.cachedModel().model)
    #expect(model.name == "A, B" && model.entities.map(\.name) == ["Person"])
    #expect(model.recordedHashes == store.metadata.hashes)
  }

  @Test("without a table or a row there is none")
  func none() throws {
    let empty = try store([])
    guard case .none = try empty.cachedModel() else {
      Issue.record("an empty table holds a model")
      return
    }
    let old = try Store(StoreSample.make("old.sqlite"))
    guard case .none = try old.cachedModel() else {
      Issue.record("a store without the table holds a model")
      return
    }
    #expect(try old.modelCacheContent() == nil)
  }

  @Test(
    "what cannot be read is damaged, and says why",
    arguments: [
      (.blob([0xff, 1, 2]), "cannot be unpacked"), (.text("x"), "holds no archive"),
      (.null, "holds no archive"),
    ] as [(Value, String)])
  func damaged(row: Value, why: String) throws {
    guard case .damaged(let reason) = try store([row]).cachedModel() else {
      Issue.record("\(why): it was not damaged")
      return
    }
    #expect(reason.contains(why))
  }

  @Test("a model with other hashes than the metadata's is believed as little as these")
  func otherHashes() throws {
    let store = try store([.blob(try Deflate.compress(archive(of: "2")))])
    let error = #expect(throws: Failure.self) { try store.cachedModel() }
    #expect(error?.kind == .unusable && error?.subject.hasSuffix("entity Person") == true)
  }
}
