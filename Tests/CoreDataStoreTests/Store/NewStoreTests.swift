import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

private typealias M = SchemaModels

@Suite("New stores", .temporaryFolder) struct NewStoreTests {
  private func path(_ name: String = "new.sqlite") -> String {
    TemporaryFolder.url.appending(path: name).path
  }

  private static let item = M.entity(
    "Item", M.attribute("title"), M.toMany("tags", "Tag", inverse: "items"), M.unique("title"))
  private static let tag = M.entity("Tag", M.toMany("items", "Item", inverse: "tags"))

  @Test("it is read back as an empty store of its model")
  func readBack() throws {
    let schema = try M.schema(Self.item, Self.tag)
    let uuid = "01234567-89AB-CDEF-0123-456789ABCDEF"
    let contents = NewStoreContents(uuid: uuid, metadata: ["Key": .string("value")])
    try NewStore.make(at: path(), schema: schema, contents: contents)
    let store = try Store(path())
    #expect(store.metadata.uuid == uuid)
    #expect(store.metadata.hashes == VersionHashes(of: schema.model).entities)
    #expect(store.metadata.digest == VersionHashes(of: schema.model).digest)
    #expect(store.metadata.checksum == VersionHashes(of: schema.model).checksum)
    #expect(store.metadata.applicationKeys == ["Key"])
    #expect(store.metadata.framework == 1522)
    #expect(store.connection.path.hasSuffix("new.sqlite"))
    #expect(try store.connection.integer("PRAGMA auto_vacuum") == 2)
    #expect(try store.connection.integer("PRAGMA page_size") == 4096)
    #expect(try store.connection.problems(.full).isEmpty)
    #expect(store.schema.table("Z_MODELCACHE") == nil)
    #expect(
      try store.connection.rows("SELECT * FROM Z_PRIMARYKEY ORDER BY Z_ENT") == [
        [.integer(1), .text("Item"), .integer(0), .integer(0)],
        [.integer(2), .text("Tag"), .integer(0), .integer(0)],
      ])
  }

  @Test("each part brings its own objects, in this order")
  func parts() throws {
    let store = try NewStore(
      at: path(), schema: try M.schema(Self.item, Self.tag),
      contents: NewStoreContents(keepsHistory: true))
    let objects = { (kind: SchemaObject.Kind) in
      try Schema(of: store.connection).objects(of: kind).filter { $0.sql != nil }.count
    }
    #expect(try objects(.table) == 0)
    try store.make(.tables)
    #expect(try objects(.table) == 8)
    #expect(try objects(.index) == 0)
    try store.make(.indexes)
    #expect(try objects(.index) == 2 + 8)
    try store.make(.triggers)
    #expect(try objects(.trigger) == 0)
    let numbers = try store.connection.rows("SELECT Z_ENT FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    #expect(numbers.map { $0[0].integer } == [1, 2, 16001, 16002, 16003])
    try store.close()
  }

  @Test("a file that is there is never touched")
  func exists() throws {
    try Data("mine".utf8).write(to: URL(filePath: path()))
    let schema = try M.schema(Self.item, Self.tag)
    let error = #expect(throws: Failure.self) { try NewStore.make(at: path(), schema: schema) }
    #expect(error?.what == "cannot make the new store")
    #expect(try Data(contentsOf: URL(filePath: path())) == Data("mine".utf8))
  }

  @Test("pages may have another size, and identities are new by default")
  func options() throws {
    let schema = try M.schema(Self.item, Self.tag)
    try NewStore.make(
      at: path(), schema: schema, contents: NewStoreContents(pageSize: 8192))
    try NewStore.make(at: path("other.sqlite"), schema: schema)
    let (first, second) = (try Store(path()), try Store(path("other.sqlite")))
    #expect(try first.connection.integer("PRAGMA page_size") == 8192)
    #expect(first.metadata.uuid != second.metadata.uuid)
    #expect(UUID(uuidString: first.metadata.uuid)?.uuidString == first.metadata.uuid)
  }

  @Test("an older framework writes what it knew")
  func oldFramework() throws {
    try NewStore.make(at: path(), schema: try M.schema(Self.item, Self.tag, framework: 847))
    let metadata = try Store(path()).metadata
    #expect(metadata.framework == 847)
    #expect(metadata.digest == nil)
    #expect(metadata.checksum == nil)
    #expect(!metadata.keys.contains("NSPersistenceMaximumFrameworkVersion"))
  }

  @Test("a model without all its hashes makes no store")
  func noHash() throws {
    let strange = M.attribute(
      "amount", "Integer 64", "derived=\"YES\" derivationExpression=\"SUBQUERY(a, $x, 1)\"")
    let schema = try M.schema(M.entity("Item", strange))
    let error = #expect(throws: Failure.self) { try NewStore.make(at: path(), schema: schema) }
    #expect(error?.subject == "Test, entity Item")
    #expect(!FileManager.default.fileExists(atPath: path()))
  }
}

@Suite(
  "New stores of the corpus's models",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)),
  .temporaryFolder)
struct CorpusNewStoreTests {
  @Test("a store made from another store's model cache has the same schema, word for word")
  func roundTrip() throws {
    for path in CorpusModels.paths(endingIn: ".sqlite") {
      let original = try StoreCopy(of: path)
      guard let cache = try original.modelCache else { continue }
      let model = try CompiledModelReader.readCache(cache, name: path)
      let schema = try StoreSchema(of: model, framework: original.framework)
      let copy = TemporaryFolder.url.appending(path: "\(UUID().uuidString).sqlite").path
      let contents = NewStoreContents(
        modelCache: .cached(cache), keepsHistory: original.schema.table("ACHANGE") != nil)
      try NewStore.make(at: copy, schema: schema, contents: contents)
      let store = try Store(copy)
      let kinds: [SchemaObject.Kind] = [.table, .index, .trigger, .virtualTable]
      for kind in kinds {
        #expect(
          Set(store.schema.objects(of: kind).map(\.sql))
            == Set(original.schema.objects(of: kind).map(\.sql)), "\(path)")
      }
      #expect(try store.connection.scalar("SELECT Z_CONTENT FROM Z_MODELCACHE") == .blob(cache))
      let recorded = original.metadata["NSStoreModelVersionHashesDigest"]?.string
      #expect(store.metadata.digest == recorded, "\(path)")
      #expect(
        store.metadata.checksum == original.metadata["NSStoreModelVersionChecksumKey"]?.string)
    }
  }

  @Test("a compiled model becomes the store's own copy; one of another model is refused")
  func archive() throws {
    let folder = "CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel.momd"
    let file = try ModelFile(CorpusModels.file(folder))
    let schema = try StoreSchema(of: try file.model(named: "SampleModel2"))
    let path = { (name: String) in TemporaryFolder.url.appending(path: name).path }
    let archive = try CorpusModels.bytes("\(folder)/SampleModel2.mom")
    try NewStore.make(
      at: path("a"), schema: schema, contents: NewStoreContents(modelCache: .archive(archive)))
    let store = try Store(path("a"))
    let cache = try store.connection.scalar("SELECT Z_CONTENT FROM Z_MODELCACHE")?.blob
    let model = try CompiledModelReader.readCache(try #require(cache), name: "cached")
    #expect(VersionHashes(of: model).entities == VersionHashes(of: schema.model).entities)
    let other = try CorpusModels.bytes("\(folder)/SampleModel.mom")
    #expect(throws: Failure.self) {
      try NewStore.make(
        at: path("b"), schema: schema, contents: NewStoreContents(modelCache: .archive(other)))
    }
    #expect(!FileManager.default.fileExists(atPath: path("b")))
  }
}
