import CoreDataStore
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Books, which count their pages by triggers", .temporaryFolder,
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusStore.advice)))
struct DerivedConformanceTests {
  private static func store(_ number: Int, as name: String? = nil) throws -> CorpusStore {
    try CorpusStore(
      "CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V\(number).sqlite", as: name)
  }

  private static func rows(_ store: CorpusStore, _ sql: String) throws -> [String] {
    try StoreRows.read(sql, at: store.path)
  }

  /// The count that each book has, next to its pages counted again.
  private static let counts = """
    SELECT Z_PK, ZPAGESCOUNT, (SELECT count(*) FROM ZPAGE WHERE ZBOOK = b.Z_PK) FROM ZBOOK AS b
    ORDER BY 1
    """

  /// Puts wrong counts into the source; no trigger stands on this column.
  private static func spoil(_ store: CorpusStore) throws {
    try StoreRows.change(
      "UPDATE ZBOOK SET ZPAGESCOUNT = CASE Z_PK % 2 WHEN 0 THEN 7 END", at: store.path)
  }

  private static func expectCounted(_ store: CorpusStore, _ books: Int) throws {
    let found = try rows(store, counts).map { $0.split(separator: "|").map(String.init) }
    #expect(found.count == books && found.allSatisfy { $0[1] == $0[2] })
    // A trigger that was there before the rows would have called a function of Core Data's.
    let kinds = try rows(store, "SELECT type FROM sqlite_master ORDER BY rowid")
    #expect(kinds.suffix(5) == Array(repeating: "trigger", count: 5)[...])
    #expect(kinds.count { $0 == "trigger" } == 5)
  }

  @Test("version 2 has the schema that Core Data gave it, every object, and counts of its own")
  func migrated() async throws {
    let (store, apple) = (try Self.store(1), try Self.store(2))
    let source = try Self.store(1, as: "source.sqlite")
    try Self.spoil(store)
    try await store.run(CorpusStore.inferring([apple.path]))
    try Self.expectCounted(store, 52)
    #expect(try StoreRows.schema(at: store.path) == StoreRows.schema(at: apple.path))
    #expect(try Store(store.path).metadata.hashes == Store(apple.path).metadata.hashes)
    let columns = "Z_PK, Z_ENT, Z_OPT, ZAUTHOR, ZISBLACKANDWHITE, ZPUBLISHEDAT, ZPRICE, ZTITLE"
    #expect(
      try Self.rows(
        store, "SELECT \(columns), ZPAGESCOUNT, ZUNIQUEID, ZFRONTCOVER FROM ZBOOK ORDER BY 1")
        == Self.rows(
          source, "SELECT \(columns), ZPAGESCOUNT, ZUNIQUEID, ZCOVER FROM ZBOOK ORDER BY 1"))
    for table in ["ZPAGE", "ZFEEDBACK", "Z_PRIMARYKEY WHERE Z_ENT < 16000"] {
      let sql = "SELECT * FROM \(table) ORDER BY 1"
      #expect(try Self.rows(store, sql) == Self.rows(source, sql), "\(table)")
    }
    // One transaction more marks the history, and its author is a text more.
    for table in ["ATRANSACTION", "ATRANSACTIONSTRING"] {
      let sql = "SELECT * FROM \(table) ORDER BY 1"
      #expect(try Self.rows(store, sql).dropLast() == Self.rows(source, sql)[...], "\(table)")
    }
    #expect(
      try Self.rows(store, "SELECT ZNAME FROM ATRANSACTIONSTRING ORDER BY Z_PK").last
        == HistoryTables.migrator)
  }

  @Test("a store that is migrated to its own version gets right counts, too", arguments: 1...2)
  func forced(version: Int) async throws {
    let (store, source) = (try Self.store(version), try Self.store(version, as: "source.sqlite"))
    try Self.spoil(store)
    try await store.run(CorpusStore.inferring([source.path]), force: true)
    try Self.expectCounted(store, version == 1 ? 52 : 3)
    #expect(try StoreRows.tables(at: store.path) == StoreRows.tables(at: source.path))
  }
}
