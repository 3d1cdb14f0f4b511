import CoreDataStore
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Cars, a hierarchy with unique values", .temporaryFolder,
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusStore.advice)))
struct SampleModelConformanceTests {
  private static let folder = "CoreDataPlus/Tests/Resources/SampleModel/"
  private static let models = [
    folder + "Fixtures/SampleModel.momd", folder + "SampleModel.xcdatamodeld",
  ]

  private static func store(_ number: Int, as name: String? = nil) throws -> CorpusStore {
    try CorpusStore("\(folder)Fixtures/SampleModel_V\(number).sqlite", as: name)
  }

  private static func rows(_ path: String, _ sql: String) throws -> [String] {
    try StoreRows.read(sql, at: path)
  }

  @Test("version 1 becomes what Core Data made of it in version 2, row for row", arguments: models)
  func second(models: String) async throws {
    let (store, apple) = (try Self.store(1), try Self.store(2))
    try await store.run(CorpusStore.inferring([CorpusStore.file(models)], to: "SampleModel2"))
    // From XML alone there is no copy of the model that the store could keep.
    let isCompiled = models.hasSuffix(".momd")
    let schema = try StoreRows.schema(at: apple.path)
    #expect(
      try StoreRows.schema(at: store.path)
        == schema.filter { isCompiled || !$0.contains("Z_MODELCACHE") })
    // Core Data left the renamed entity's old name there; the number is what counts.
    let entities = "SELECT Z_ENT, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1"
    #expect(try Self.rows(store.path, entities) == Self.rows(apple.path, entities))
    #expect(
      try Self.rows(store.path, "SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        == ["Car", "SportCar", "LuxuryCar", "Person"])
    #expect(try Store(store.path).metadata.hashes == Store(apple.path).metadata.hashes)
    for table in ["ZCAR", "ZPERSON"] {
      let sql = "SELECT * FROM \(table) ORDER BY Z_PK"
      let rows = try Self.rows(apple.path, sql)
      #expect(try Self.rows(store.path, sql) == rows && !rows.isEmpty)
    }
  }

  @Test("version 3 comes out the same at once, in steps, and from Core Data's version 2")
  func third() async throws {
    let models = try CorpusStore.file(Self.models[0])
    let direct = try Self.store(1, as: "direct.sqlite")
    let stepped = try Self.store(1, as: "stepped.sqlite")
    let apple = try Self.store(2, as: "apple.sqlite")
    let inferring = try CorpusStore.inferring([models], to: "SampleModel3")
    try await direct.run(inferring)
    try await stepped.run(CorpusStore.stepping(models, ["SampleModel2", "SampleModel3"]))
    try await apple.run(inferring)
    let model = try ModelFile(models).model(named: "SampleModel3")
    let tables = try StoreRows.tables(at: direct.path)
    for store in [direct, stepped, apple] {
      #expect(try MadeStore(store.path).faults(of: model) == [])
      #expect(try StoreRows.tables(at: store.path) == tables)
    }
    let columns = "Z_PK, Z_ENT, Z_OPT, ZMODEL, ZNUMBERPLATE, ZOWNER, ZISLIMITEDEDITION"
    let sql = "SELECT \(columns), ZMARKEDFORDELETIONASOF FROM ZCAR ORDER BY Z_PK"
    #expect(try Self.rows(direct.path, sql) == Self.rows(Self.store(1).path, sql))
    #expect(try Self.rows(direct.path, "SELECT DISTINCT ZCREATEDBY FROM ZCAR") == ["NULL"])
  }

  @Test("a script in place of the mapping model makes makers of names, and owners of owners")
  func makers() async throws {
    let models = try CorpusStore.file(Self.models[0])
    let (store, source) = (try Self.store(2), try Self.store(2, as: "source.sqlite"))
    let summary = try await store.run(CorpusStore.file("cars.pipeline", models: models))
    let model = try ModelFile(models).model(named: "SampleModel3")
    #expect(try MadeStore(store.path).faults(of: model) == [])
    let names = try Self.rows(
      source.path, "SELECT DISTINCT ZMAKER FROM ZCAR WHERE ZMAKER IS NOT NULL ORDER BY 1")
    #expect(try Self.rows(store.path, "SELECT ZNAME FROM ZMAKER ORDER BY 1") == names)
    #expect(summary.entities.first { $0.name == "Maker" }?.objectsAfter == names.count)
    let columns = "c.Z_PK, c.Z_ENT, c.ZMODEL, c.ZNUMBERPLATE, c.ZOWNER, c.ZISLIMITEDEDITION"
    #expect(
      try Self.rows(
        store.path,
        """
        SELECT \(columns), m.ZNAME FROM ZCAR AS c LEFT JOIN ZMAKER AS m ON m.Z_PK = c.ZCREATEDBY
        ORDER BY 1
        """)
        == Self.rows(source.path, "SELECT \(columns), c.ZMAKER FROM ZCAR AS c ORDER BY 1"))
    let owned = try Self.rows(
      source.path, "SELECT Z_PK, ZOWNER FROM ZCAR WHERE ZOWNER IS NOT NULL ORDER BY 1")
    #expect(
      try Self.rows(
        store.path, "SELECT Z_1PREVIOUSCARS, Z_5PREVIOUSOWNERS FROM Z_1PREVIOUSOWNERS ORDER BY 1")
        == owned && owned.count == 118)
  }
}
