import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

/// What is predicted from a model is what Core Data made, in every store of the corpus.
@Suite(
  "Conformance of predicted schemas",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)),
  .temporaryFolder)
struct ConformanceTests {
  /// Stores that differ from the prediction, and how; the list is complete.
  private static let known: [String: Set<Difference>] = [
    // A renamed entity keeps its old name in Z_PRIMARYKEY after a lightweight migration.
    "SampleModel_V2.sqlite": [.entityName]
  ]

  /// A store whose model is kept in the binary form of Xcode 3, which is not read, and which has
  /// no copy of it: framework 241 kept none.
  private static let withoutModel: Set = ["Recipes.sqlite"]

  /// Ways to differ that do not matter to Core Data.
  private enum Difference: Hashable {
    case entityName
  }

  @Test("every store is as predicted from its own model", arguments: stores)
  func conformance(path: String) throws {
    let name = URL(filePath: path).lastPathComponent
    let store = try StoreCopy(of: path)
    guard let cache = try store.modelCache else {
      print("\(name): no model to predict from (framework \(store.framework.number))")
      #expect(Self.withoutModel.contains(name))
      return
    }
    let model = try CompiledModelReader.readCache(cache, name: name)
    let schema = try StoreSchema(of: model, framework: store.framework)
    let expected = Expected(schema, keepsHistory: store.schema.table("ACHANGE") != nil)
    let indexes = store.statements(.index)
    let triggers = store.statements(.trigger)
    let hashes = VersionHashes(of: model).entities
    let recorded = store.metadata["NSStoreModelVersionHashes"]?.dictionary ?? [:]
    print(
      "\(name): tables \(expected.tables.count)/\(store.tables.count)",
      "columns \(schema.tables.reduce(0) { $0 + $1.columns.count })/\(try columns(of: store))",
      "indexes \(expected.indexes.count)/\(indexes.count)",
      "triggers \(expected.triggers.count)/\(triggers.count)",
      "hashes \(hashes.count)/\(recorded.count)", separator: ", ")

    #expect(expected.tables == store.tables)
    #expect(expected.indexes == indexes)
    #expect(expected.triggers == triggers)
    #expect(hashes.mapValues { PropertyList.data($0.bytes) } == recorded)
    let differences = Self.known[name] ?? []
    #expect((expected.entities == (try store.entities)) != differences.contains(.entityName))
    #expect(schema.doubts.allSatisfy { !$0.subject.hasPrefix("table") })
  }

  @Test("a version's source predicts what its store has, as the store's own model does")
  func sources() throws {
    let models = try CorpusModels.paths(endingIn: ".xcdatamodeld")
      .filter { !$0.contains("Recipes") }
      .flatMap { try ModelFile(CorpusModels.file($0)).models }
    var matches = 0
    for path in Self.stores {
      let store = try StoreCopy(of: path)
      let recorded = store.metadata["NSStoreModelVersionHashes"]?.dictionary ?? [:]
      for model in models
      where VersionHashes(of: model).entities.mapValues({ .data($0.bytes) }) == recorded {
        matches += 1
        let schema = try StoreSchema(of: model, framework: store.framework)
        let expected = Expected(schema, keepsHistory: store.schema.table("ACHANGE") != nil)
        #expect(expected.tables == store.tables, "\(path) \(model.name)")
        #expect(expected.indexes == store.statements(.index), "\(path) \(model.name)")
        #expect(expected.triggers == store.statements(.trigger), "\(path) \(model.name)")
      }
    }
    #expect(matches >= 14)
  }

  private static let stores = CorpusModels.paths(endingIn: ".sqlite")

  /// What a store should hold.
  private struct Expected {
    let tables: Set<String>
    let indexes: Set<String>
    let triggers: Set<String>
    let entities: [String]

    init(_ schema: StoreSchema, keepsHistory: Bool) {
      let history = keepsHistory ? HistoryTables(for: schema.model) : nil
      tables = Set(
        schema.tables.map(\.sql) + schema.joinTables.map(\.sql)
          + schema.spatialIndexes.map(\.sql) + (history?.tables ?? []) + ConformanceTests.fixed)
      indexes = Set(schema.indexes.map(\.sql) + (history?.indexes ?? []))
      triggers = Set(schema.triggers.map(\.sql))
      entities =
        schema.entities.map { "\($0.number) \($0.name) \($0.parentNumber)" }
        + (keepsHistory ? HistoryTables.entities.map { "\($0.number) \($0.name) 0" } : [])
    }
  }

  private static let fixed = [
    "CREATE TABLE Z_PRIMARYKEY "
      + "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]

  /// How many columns the store's tables of objects have.
  private func columns(of store: StoreCopy) throws -> Int {
    let tables = store.schema.objects(of: .table).map(\.name).filter {
      $0.hasPrefix("Z") && !$0.hasPrefix("Z_")
    }
    return try tables.reduce(0) { try $0 + store.connection.columns(of: $1).count }
  }
}
