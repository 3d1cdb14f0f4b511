import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Samples of a store", .temporaryFolder)
struct SampledStoreTests {
  private static func relationship(
    _ name: String, _ destination: String, _ more: String, inverse: String? = nil
  ) -> String {
    let back = inverse.map { "inverseName=\"\($0)\" inverseEntity=\"\(destination)\"" } ?? ""
    return "<relationship name=\"\(name)\" optional=\"YES\" \(more) "
      + "destinationEntity=\"\(destination)\" \(back)/>"
  }

  /// Makes a source, takes the sample, and gives a connection to it.
  private func sample(
    _ model: String, rows: String, _ count: Int
  ) throws -> (sample: Connection, cut: Int) {
    let schema = try StoreSchema(of: MappingModels.model(model, name: "1"))
    func path(_ name: String) -> String { TemporaryFolder.url.appending(path: name).path }
    let store = try NewStore(at: path("all.sqlite"), schema: schema)
    try store.make(.tables)
    try store.connection.execute(rows)
    try store.close()
    let cut = try SampledStore.make(
      at: path("some.sqlite"), of: path("all.sqlite"), schema: schema, objects: count)
    return (try Connection(path: path("some.sqlite"), mode: .foreign), cut)
  }

  private func keys(_ table: String, _ sample: Connection) throws -> [Int64] {
    try sample.rows("SELECT Z_PK FROM \(table) ORDER BY 1").compactMap { $0[0].integer }
  }

  private static let numbers =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
    + "WHERE i < 1000)"

  @Test("so many of each entity of a hierarchy, spread evenly, with the highest key ever given")
  func hierarchy() throws {
    let (sample, cut) = try sample(
      """
      <entity name="P" isAbstract="YES">\(LossSample.attribute("n", "Integer 16"))</entity>
      <entity name="Q" parentEntity="P"/><entity name="R" parentEntity="P"/>
      """,
      rows: """
        \(Self.numbers) INSERT INTO ZP (Z_PK, Z_ENT, Z_OPT, ZN)
        SELECT i, 2 + i % 2, 1, i FROM n;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 5000 WHERE Z_NAME = 'P'
        """, 5)
    let counts = try sample.rows("SELECT Z_ENT, count(*) FROM ZP GROUP BY Z_ENT")
    #expect(counts == [[.integer(2), .integer(5)], [.integer(3), .integer(5)]])
    #expect(try keys("ZP", sample).last.map { $0 > 700 } == true)
    #expect(try sample.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'P'") == 5000)
    #expect(cut == 0)
    // With the index that Core Data makes as well: the sample is read entity by entity.
    let index = "SELECT count(*) FROM sqlite_schema WHERE name = 'ZP_Z_ENT_INDEX'"
    #expect(try sample.integer(index) == 1)
  }

  @Test("what they lead to comes on top, through any number of objects") func links() throws {
    let (sample, _) = try sample(
      """
      <entity name="A">\(Self.relationship("b", "B", "maxCount=\"1\"", inverse: "as"))</entity>
      <entity name="B">\(Self.relationship("as", "A", "toMany=\"YES\"", inverse: "b"))
      \(Self.relationship("c", "C", "maxCount=\"1\""))</entity>
      <entity name="C">\(LossSample.attribute("n", "Integer 16"))</entity>
      """,
      rows: """
        \(Self.numbers) INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZB) SELECT i, 1, 1, 1001 - i FROM n;
        \(Self.numbers) INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZC) SELECT i, 2, 1, i FROM n;
        \(Self.numbers) INSERT INTO ZC (Z_PK, Z_ENT, Z_OPT, ZN) SELECT i, 3, 1, 0 FROM n
        """, 3)
    #expect(try keys("ZA", sample).count == 3)
    let open = """
      SELECT (SELECT count(*) FROM ZA WHERE ZB NOT IN (SELECT Z_PK FROM ZB))
        + (SELECT count(*) FROM ZB WHERE ZC NOT IN (SELECT Z_PK FROM ZC))
      """
    #expect(try sample.integer(open) == 0)
    #expect(try keys("ZB", sample).count <= 6)
  }

  @Test("pairs come with some of the objects they lead to, and none that leads out of the sample")
  func pairs() throws {
    let (sample, _) = try sample(
      """
      <entity name="A">\(Self.relationship("bs", "B", "toMany=\"YES\"", inverse: "as"))</entity>
      <entity name="B">\(Self.relationship("as", "A", "toMany=\"YES\"", inverse: "bs"))</entity>
      """,
      rows: """
        \(Self.numbers) INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) SELECT i, 1, 1 FROM n;
        \(Self.numbers) INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) SELECT i, 2, 1 FROM n;
        \(Self.numbers) INSERT INTO Z_1BS (Z_1AS, Z_2BS) SELECT i, 1001 - i FROM n;
        \(Self.numbers) INSERT INTO Z_1BS (Z_1AS, Z_2BS) SELECT i, 1 FROM n WHERE i < 1000
        """, 4)
    #expect(try sample.integer("SELECT count(*) FROM Z_1BS").map { $0 >= 4 } == true)
    let lost = """
      SELECT count(*) FROM Z_1BS WHERE Z_1AS NOT IN (SELECT Z_PK FROM ZA)
      OR Z_2BS NOT IN (SELECT Z_PK FROM ZB)
      """
    #expect(try sample.integer(lost) == 0)
    #expect(try keys("ZA", sample).count < 60)
  }

  @Test("an endless chain is cut, and the cut is reported") func chain() throws {
    let (sample, cut) = try sample(
      "<entity name=\"A\">\(Self.relationship("next", "A", "maxCount=\"1\""))</entity>",
      rows: """
        \(Self.numbers) INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZNEXT) SELECT i, 1, 1, i + 1 FROM n
        """, 1)
    #expect(cut == 1)
    #expect(try keys("ZA", sample) == Array(1...65))
    #expect(try sample.integer("SELECT count(*) FROM ZA WHERE ZNEXT IS NULL") == 1)
  }

  @Test("a chain that goes through one relationship and another is followed through both")
  func alternating() throws {
    let (sample, cut) = try sample(
      """
      <entity name="A">\(Self.relationship("next", "A", "maxCount=\"1\""))
      \(Self.relationship("other", "A", "maxCount=\"1\""))</entity>
      """,
      rows: """
        \(Self.numbers) INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZNEXT, ZOTHER)
        SELECT i, 1, 1, iif(i % 2 = 1 AND i < 101, i + 1, NULL),
        iif(i % 2 = 0 AND i < 101, i + 1, NULL) FROM n
        """, 1)
    #expect(try keys("ZA", sample) == Array(1...101))
    #expect(cut == 0)
  }

  @Test("a link that leads nowhere stays as it is") func dangling() throws {
    let (sample, cut) = try sample(
      "<entity name=\"A\">\(Self.relationship("next", "A", "maxCount=\"1\""))</entity>",
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZNEXT) VALUES (1, 1, 1, 9), (2, 1, 1, NULL)", 10)
    #expect(try sample.rows("SELECT ZNEXT FROM ZA ORDER BY Z_PK") == [[.integer(9)], [.null]])
    #expect(cut == 0)
  }
}
