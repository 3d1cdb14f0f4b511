import CoreDataStore
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Posts, whose steps had mapping models and a policy", .temporaryFolder,
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusStore.advice)))
struct PostsConformanceTests {
  private static let name = "CoreDataMigration_Example"

  private static var models: String {
    get throws {
      try CorpusStore.file(
        "CoreDataMigration-Example/CoreDataMigration-Example/CoreData/Model/\(name).xcdatamodeld")
    }
  }

  /// A store; what Core Data wrote of version 4 is called WAL.
  private static func store(_ version: Int, as copy: String? = nil) throws -> CorpusStore {
    let tests = "CoreDataMigration-Example/CoreDataMigration-ExampleTests/Resources/SQLite/"
    return try CorpusStore(
      "\(tests)\(name)_\(version == 4 ? "WAL" : "\(version)").sqlite", as: copy)
  }

  private static func version(_ number: Int) -> String { number == 1 ? name : "\(name) \(number)" }

  private static func rows(_ store: CorpusStore, _ sql: String) throws -> [String] {
    try StoreRows.read(sql, at: store.path)
  }

  /// The schema is that of the store which Core Data wrote, and nothing else is wrong either.
  private static func expectVersion4(_ store: CorpusStore) throws {
    let apple = try Self.store(4)
    let model = try ModelFile(models).model(named: version(4))
    #expect(try MadeStore(store.path).faults(of: model) == [])
    #expect(
      try StoreRows.schema(at: store.path)
        == StoreRows.schema(at: apple.path).filter { !$0.contains("Z_MODELCACHE") })
    #expect(try Store(store.path).metadata.hashes == Store(apple.path).metadata.hashes)
    let entities = "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY 1"
    #expect(try rows(store, entities) == rows(apple, entities))
  }

  /// What the policy does: each post has a color of its own with the post's text and an identifier,
  /// and both lead to each other.
  private static func expectColors(
    _ store: CorpusStore, of source: CorpusStore, in column: String
  ) throws {
    let posts = try rows(
      source, "SELECT Z_PK, ZDATE, ZPOSTID, \(column) FROM ZPOST ORDER BY Z_PK")
    #expect(
      try rows(
        store,
        """
        SELECT p.Z_PK, p.ZDATE, p.ZPOSTID, c.ZHEX FROM ZPOST AS p
        JOIN ZCOLOR AS c ON c.Z_PK = p.ZCOLOR AND c.ZPOST = p.Z_PK ORDER BY p.Z_PK
        """) == posts && posts.count > 1000)
    let count = "\(posts.count)"
    #expect(
      try rows(
        store, "SELECT count(*), count(DISTINCT ZCOLORID), min(length(ZCOLORID)) FROM ZCOLOR")
        == ["\(count)|\(count)|36"])
  }

  @Test("a step a version, renaming, making colors and adding a default", arguments: 1...2)
  func steps(from: Int) async throws {
    let (store, source) = (try Self.store(from), try Self.store(from, as: "source.sqlite"))
    try await store.run(CorpusStore.file("posts.pipeline", models: Self.models))
    try Self.expectVersion4(store)
    try Self.expectColors(store, of: source, in: from == 1 ? "ZCOLOR" : "ZHEXCOLOR")
    #expect(try Self.rows(store, "SELECT DISTINCT ZHIDE FROM ZPOST") == ["0"])
  }

  @Test("at once, an attribute becomes a relationship of its name, with the same objects")
  func direct() async throws {
    let (store, stepped) = (try Self.store(1), try Self.store(1, as: "stepped.sqlite"))
    let source = try Self.store(1, as: "source.sqlite")
    try await store.run(CorpusStore.file("posts_direct.pipeline", models: Self.models))
    try Self.expectVersion4(store)
    try Self.expectColors(store, of: source, in: "ZCOLOR")
    try await stepped.run(CorpusStore.file("posts.pipeline", models: Self.models))
    #expect(try StoreRows.tables(at: store.path) == StoreRows.tables(at: stepped.path))
  }

  @Test("from version 3 the pipeline has the last step left, and every link stays")
  func last() async throws {
    let (store, source) = (try Self.store(3), try Self.store(3, as: "source.sqlite"))
    let summary = try await store.run(CorpusStore.file("posts.pipeline", models: Self.models))
    #expect(Set(summary.entities.map(\.how)).isDisjoint(with: ["scripted"]))
    try Self.expectVersion4(store)
    for table in ["ZCOLOR", "Z_PRIMARYKEY"] {
      let sql = "SELECT * FROM \(table) ORDER BY 1"
      #expect(try Self.rows(store, sql) == Self.rows(source, sql))
    }
    let posts = "SELECT Z_PK, Z_ENT, Z_OPT, ZCOLOR, ZDATE, ZPOSTID FROM ZPOST ORDER BY 1"
    #expect(try Self.rows(store, posts) == Self.rows(source, posts))
  }

  @Test("inference alone takes every step, and ends at posts without a color where they need one")
  func inferred() throws {
    for (from, to) in [(1, 3), (2, 3), (1, 4)] {
      let store = try Self.store(from)
      let plan = try store.plan(CorpusStore.inferring([Self.models], to: Self.version(to)))
      #expect(plan.problems.isEmpty)
      let found = try plan.preflight(of: Store(store.path), limit: 1)
      let kinds = found.flatMap(\.result.kinds).filter(\.endsRun)
      #expect(kinds.map(\.count.property) == ["color"])
      #expect(kinds.allSatisfy { $0.refusal?.contains("134110") == true })
    }
  }
}
