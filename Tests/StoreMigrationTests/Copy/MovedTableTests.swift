import CoreDataStore
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

@Suite("A table that stays, in a store that begins empty", .temporaryFolder)
struct MovedTableTests {
  private static let names = ["Z_B_byN", "Z_B_n"]

  private static func count(_ table: String, _ builder: StoreBuilder) throws -> Int64? {
    try builder.connection.integer("SELECT count(*) FROM main.\(table)")
  }

  private static func indexes(of table: String, _ builder: StoreBuilder) throws -> [String] {
    try Schema(of: builder.connection).indexes(of: table).map(\.name)
  }

  private static func copy(_ entity: String, _ builder: StoreBuilder) throws -> any EntityCopy {
    let object = try #require(builder.mapping.objects(from: entity))
    return try builder.copy(of: object, limits: ChunkLimits(rows: 1))
  }

  @Test("comes over as a whole, whatever a chunk is, with its indexes")
  func whole() throws {
    let builder = try StartSample.sample(bStays: true).builder()
    #expect(try Self.count("ZB", builder) == 0)
    let copy = try Self.copy("B", builder)
    #expect(try !copy.chunk())
    #expect(copy.progress.rows == 4 && copy.leftOut == 0)
    #expect(try Self.count("ZB", builder) == 4)
    #expect(try Self.indexes(of: "ZB", builder).sorted() == Self.names)
  }

  @Test("does not where it changes") func changed() throws {
    let builder = try StartSample.sample().builder()
    #expect(try Self.copy("B", builder).chunk())
    #expect(try Self.count("ZB", builder) == 1)
    #expect(try Self.indexes(of: "ZB", builder).isEmpty)
  }

  @Test("is moved by the process that resumes, and once")
  func resumed() throws {
    let sample = try StartSample.sample(bStays: true)
    try sample.builder().close()
    for _ in 0..<2 {
      let builder = try sample.builder()
      #expect(builder.isResumed)
      #expect(try !Self.copy("B", builder).chunk())
      #expect(try Self.count("ZB", builder) == 4)
      try builder.close()
    }
  }

  @Test("an index that does not hold what its table holds stays behind, and is made at the end")
  func damagedIndex() throws {
    let sample = try StartSample.sample(bStays: true)
    let index = try #require(sample.source.indexes.first { $0.name == "Z_B_byN" })
    try StartSample.plant(index, rows: "SELECT Z_PK, ZN + 1 FROM ZB")
    let builder = try sample.builder()
    #expect(try !Self.copy("B", builder).chunk())
    // The two are alike, and SQLite takes either of the source's for each.
    #expect(try builder.connection.string("PRAGMA main.integrity_check(ZB)") == "ok")
    #expect(try !Self.copy("A", builder).chunk())
    _ = try LinkCopy(builder).run()
    _ = try StoreFinish(builder, FinishChoices()).run()
    let store = try Connection(path: samplePath("next.sqlite"), mode: .foreign)
    #expect(try store.string("PRAGMA integrity_check") == "ok")
    #expect(try Schema(of: store).indexes(of: "ZB").map(\.name).sorted() == Self.names)
  }

  @Test("rows of no entity of its keep it from being moved")
  func aliens() throws {
    let sql = "INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (9, 77, 1)"
    let builder = try StartSample.sample(changing: sql, bStays: true).builder()
    #expect(try Self.copy("B", builder).chunk())
    #expect(try Self.count("ZB", builder) == 1)
  }
}
