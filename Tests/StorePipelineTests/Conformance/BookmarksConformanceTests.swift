import CoreDataStore
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Bookmarks, a store of each version by Core Data", .temporaryFolder,
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusStore.advice)))
struct BookmarksConformanceTests {
  private static let folder = "BrowserServicesKit/Tests/BookmarksTests/Resources/"
  private static let models = "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"

  /// Every way from one version to a later one.
  private static let ways = (1...4).flatMap { from in ((from + 1)...5).map { (from, $0) } }

  private static func store(_ number: Int, as name: String? = nil) throws -> CorpusStore {
    try CorpusStore("\(folder)Bookmarks_V\(number).sqlite", as: name)
  }

  private static func version(_ number: Int) -> String {
    number == 1 ? "BookmarksModel" : "BookmarksModel \(number)"
  }

  /// The objects by their identifiers: the stores hold the same ones, made by the application once
  /// for each version, so that keys differ and what was given by the clock.
  private static func objects(_ path: String) throws -> [String] {
    try StoreRows.read(
      """
      SELECT o.ZUUID, o.ZTITLE, o.ZURL, o.ZISFOLDER, p.ZUUID, o.Z_FOK_PARENT, o.Z_ENT, o.Z_OPT
      FROM ZBOOKMARKENTITY AS o LEFT JOIN ZBOOKMARKENTITY AS p ON p.Z_PK = o.ZPARENT ORDER BY 1
      """, at: path)
  }

  /// Who is a favorite where, and at which place: a column up to version 3, then a table of pairs.
  private static func favorites(_ path: String, _ version: Int) throws -> [String] {
    let sql =
      version < 4
      ? """
      SELECT f.ZUUID, o.ZUUID, o.Z_FOK_FAVORITEFOLDER FROM ZBOOKMARKENTITY AS o
      JOIN ZBOOKMARKENTITY AS f ON f.Z_PK = o.ZFAVORITEFOLDER ORDER BY 1, 3
      """
      : """
      SELECT f.ZUUID, o.ZUUID, j.Z_FOK_1FAVORITES FROM Z_1FAVORITES AS j
      JOIN ZBOOKMARKENTITY AS o ON o.Z_PK = j.Z_1FAVORITES
      JOIN ZBOOKMARKENTITY AS f ON f.Z_PK = j.Z_1FAVORITEFOLDERS ORDER BY 1, 3
      """
    return try StoreRows.read(sql, at: path)
  }

  /// The numbers of entities and the highest keys.
  private static func entities(_ path: String) throws -> [String] {
    try StoreRows.read("SELECT * FROM Z_PRIMARYKEY ORDER BY 1", at: path)
  }

  /// The statements, without the model's copy, which needs a compiled model.
  private static func schema(_ path: String) throws -> [String] {
    try StoreRows.schema(at: path).filter { !$0.contains("Z_MODELCACHE") }
  }

  private static func expectSame(_ made: String, _ apple: String, _ version: Int) throws {
    #expect(try schema(made) == schema(apple))
    #expect(try entities(made) == entities(apple))
    #expect(try Store(made).metadata.hashes == Store(apple).metadata.hashes)
    #expect(try Store(made).metadata.digest == Store(apple).metadata.digest)
    #expect(try objects(made) == objects(apple))
    let favorites = try favorites(made, version)
    #expect(try favorites.count == 5 && favorites == Self.favorites(apple, version))
  }

  @Test(
    "each becomes at once what Core Data made of each later one, objects and all", arguments: ways)
  func direct(from: Int, to: Int) async throws {
    let (store, apple) = (try Self.store(from), try Self.store(to))
    let models = try CorpusStore.file(Self.models)
    try await store.run(CorpusStore.inferring([models], to: Self.version(to)))
    try Self.expectSame(store.path, apple.path, to)
  }

  @Test("a step a version leads to the same, to the last cell", arguments: ways)
  func stepped(from: Int, to: Int) async throws {
    let (store, apple) = (try Self.store(from), try Self.store(to))
    let direct = try Self.store(from, as: "direct.sqlite")
    let models = try CorpusStore.file(Self.models)
    try await store.run(CorpusStore.stepping(models, (2...to).map(Self.version)))
    try Self.expectSame(store.path, apple.path, to)
    try await direct.run(CorpusStore.inferring([models], to: Self.version(to)))
    #expect(try StoreRows.tables(at: store.path) == StoreRows.tables(at: direct.path))
  }

  @Test("version 6, of which there is no store, is what the rules predict", arguments: 1...5)
  func newest(from: Int) async throws {
    let store = try Self.store(from)
    let models = try CorpusStore.file(Self.models)
    try await store.run(CorpusStore.inferring([models], to: Self.version(6)))
    let model = try ModelFile(models).model(named: Self.version(6))
    #expect(try MadeStore(store.path).faults(of: model) == [])
    #expect(try Self.favorites(store.path, 6).count == 5)
  }
}
