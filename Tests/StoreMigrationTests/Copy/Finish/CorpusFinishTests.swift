import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Stores of the corpus, made again with their own model",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)),
  .temporaryFolder)
struct CorpusFinishTests {
  @Test(
    "every row and every link is the same, and the metadata say the same",
    arguments: CorpusStores.all)
  func same(_ path: String) throws {
    let source = try CorpusStores.copy(path)
    let facts = try Self.facts(source)
    guard let facts else { return }
    let builder = try StoreBuilder(
      at: samplePath("next.sqlite"), source: source, sourceSchema: facts.schema,
      mapping: Mapping(from: facts.schema.model, to: facts.schema.model),
      targetSchema: facts.schema,
      contents: NewStoreContents(modelCache: .cached(facts.cache), keepsHistory: facts.hasHistory),
      externalFolder: StoreFiles(source).externalDataFolder)
    try CopySample.copyAll(builder)
    #expect(try LinkCopy(builder).run().allSatisfy { $0.discarded + $0.dangling == 0 })
    _ = try StoreFinish(builder, FinishChoices()).run()
    try Self.compare(source, facts)
    let entries = try Store(samplePath("next.sqlite")).metadata.entries
    let keys = Set(entries.keys).union(facts.metadata.entries.keys)
    let differing = keys.filter { entries[$0] != facts.metadata.entries[$0] }
    // Core Data writes an empty identifier where a model has none.
    #expect(differing.allSatisfy { $0 == Metadata.Key.identifiers })
  }

  private struct Facts {
    let schema: StoreSchema
    let cache: [UInt8]
    let metadata: Metadata
    let hasHistory: Bool
  }

  /// What a store says of itself; nil where no model is in it.
  private static func facts(_ path: String) throws -> Facts? {
    let store = try Store(path)
    guard let model = try store.cachedModel().model, let cache = try store.modelCacheContent()
    else { return nil }
    return Facts(
      schema: try store.expectedSchema(of: model), cache: cache, metadata: store.metadata,
      hasHistory: store.schema.table("ACHANGE") != nil)
  }

  private static func compare(_ source: String, _ facts: Facts) throws {
    let store = try Connection(path: samplePath("next.sqlite"), mode: .foreign)
    try store.attach(source, as: "source", .readOnly)
    let tables =
      facts.schema.tables.map { ($0.name, $0.columns.map(\.name)) }
      + facts.schema.joinTables.map { ($0.name, $0.columns) }
      + (facts.hasHistory ? ["ACHANGE", "ATRANSACTION"].map { ($0, ["*"]) } : [])
    for (table, columns) in tables {
      let list = columns.joined(separator: ", ")
      let old = try store.rows("SELECT \(list) FROM source.\(table) ORDER BY 1, 2")
      let new = try store.rows("SELECT \(list) FROM main.\(table) ORDER BY 1, 2")
      #expect(old == new, "\(table)")
    }
  }
}
