import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

@Suite("A store that begins as a clone, or on top of its source", .temporaryFolder)
struct KeptContentTests {
  /// Makes the store, in one go or with a new process's eyes after each piece.
  @discardableResult
  private func make(
    _ sample: LinkSample, _ start: StoreStart, inPieces: Bool = false
  ) throws -> FinishSummary {
    var builder = try sample.builder(start: start)
    func pause() throws {
      guard inPieces else { return }
      try builder.close()
      builder = try sample.builder(start: start)
      #expect(builder.isResumed)
    }
    for object in sample.mapping.objects {
      try pause()
      let copy = try builder.copy(of: object, limits: ChunkLimits(rows: 3))
      while try copy.chunk() {}
      #expect(copy.progress.rows == copy.progress.total)
    }
    try pause()
    _ = try LinkCopy(builder).run()
    try pause()
    return try StoreFinish(builder, FinishChoices()).run()
  }

  private func content() throws -> (tables: [String: [String]], schema: [String]) {
    let path = samplePath("next.sqlite")
    let header = try StoreRows.read(
      """
      SELECT (SELECT user_version FROM pragma_user_version),
      (SELECT application_id FROM pragma_application_id),
      (SELECT auto_vacuum FROM pragma_auto_vacuum), (SELECT count(*) FROM pragma_integrity_check
      WHERE integrity_check != 'ok')
      """, at: path)
    return (try StoreRows.tables(at: path), try StoreRows.schema(at: path) + header)
  }

  private static let strange = [
    "",
    "CREATE TABLE evil (a); INSERT INTO evil VALUES (1); CREATE VIEW v AS SELECT * FROM evil",
    "CREATE TRIGGER t AFTER DELETE ON ZA BEGIN DELETE FROM ZB; END",
    "CREATE INDEX mine ON ZA (ZNAME); CREATE UNIQUE INDEX yours ON TABLE_ (TWO, ONE)",
    "DROP INDEX TABLE__TWO_INDEX; CREATE INDEX TABLE__TWO_INDEX ON ZA (ZNAME)",
    "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (9, 77, 1); INSERT INTO TABLE_ VALUES (9, 1)",
    "INSERT INTO TABLE_ (ONE, TWO) VALUES (NULL, 1), (2, NULL)",
    "INSERT INTO TABLE_ (ONE, TWO) VALUES (1, 99)",
    "PRAGMA user_version = 7; PRAGMA application_id = 8",
    "CREATE VIRTUAL TABLE v USING rtree (a, b, c)",
    "DELETE FROM ZB",
  ]

  @Test(
    "is the store that begins empty, table for table and word for word", arguments: strange,
    [StoreStart.clone, .overlay])
  func same(sql: String, start: StoreStart) throws {
    let sample = try StartSample.sample(changing: sql)
    try make(sample, .empty)
    let empty = try content()
    try StartSample.removeNext()
    try make(sample, start)
    let clone = try content()
    #expect(clone.tables == empty.tables)
    #expect(clone.schema == empty.schema)
    #expect(empty.tables["ZA"]?.count == 4)
  }

  @Test(
    "a log that a killed process left alone is not taken for its own",
    arguments: [
      StoreStart.empty, .clone, .overlay,
    ])
  func leftLog(start: StoreStart) throws {
    let sample = try StartSample.sample()
    let first = try sample.builder(start: .overlay)
    try first.connection.execute("DELETE FROM main.ZA; CREATE TABLE main.stray (a)")
    try first.close()
    try FileManager.default.removeItem(atPath: samplePath("next.sqlite"))
    let source = try Connection(path: samplePath("source.sqlite"), mode: .own(create: false))
    try source.execute("UPDATE ZA SET ZNAME = 'new'")
    try source.close()
    try make(sample, start)
    let found = try content()
    try StartSample.removeNext()
    try make(sample, .empty)
    let empty = try content()
    #expect(found.tables == empty.tables && found.schema == empty.schema)
  }

  @Test(
    "resumes where it stopped, after each piece", arguments: [strange[0], strange[6]],
    [StoreStart.clone, .overlay])
  func resumed(sql: String, start: StoreStart) throws {
    let sample = try StartSample.sample(changing: sql)
    try make(sample, .empty)
    let empty = try content()
    try StartSample.removeNext()
    try make(sample, start, inPieces: true)
    let clone = try content()
    #expect(clone.tables == empty.tables && clone.schema == empty.schema)
  }

  @Test("has what stays at once, and the changed tables empty")
  func beginning() throws {
    let builder = try StartSample.sample().builder(start: .clone)
    let counts = try ["ZA", "ZB"].map {
      try builder.connection.integer("SELECT count(*) FROM main.\($0)")
    }
    #expect(counts == [4, 0])
    let copy = try builder.copy(of: builder.mapping.objects[0])
    #expect(try !copy.chunk())
    #expect(copy.progress.rows == 4 && copy.leftOut == 0)
  }

  @Test("is made again when it was killed before it was ours", arguments: [false, true])
  func killed(inTheMiddle: Bool) throws {
    let sample = try StartSample.sample()
    try StartSample.copySourceToNext()
    if inTheMiddle {
      let file = try FileHandle(forWritingTo: URL(filePath: samplePath("next.sqlite")))
      try file.truncate(atOffset: 6000)
      try file.close()
    }
    let builder = try sample.builder(start: .clone)
    #expect(!builder.isResumed)
    #expect(try builder.connection.integer("SELECT count(*) FROM main.ZA") == 4)
  }

  @Test("objects that a condition leaves out are left out, with their links")
  func condition() throws {
    let sample = try StartSample.sample { instructions in
      instructions.filters.append(ObjectFilter(entity: "B", condition: "n <> 1"))
    }
    try make(sample, .empty)
    let empty = try content()
    try StartSample.removeNext()
    try make(sample, .clone)
    let clone = try content()
    #expect(clone.tables == empty.tables && clone.schema == empty.schema)
    #expect(clone.tables["ZB"]?.count == 3)
  }

  @Test(
    "an index of pairs that does not hold what its table holds is made again, and reported",
    arguments: [
      ("SELECT rowid, TWO, ONE FROM TABLE_ UNION ALL SELECT 9, 7, 7", nil),
      ("SELECT rowid, TWO, ONE FROM TABLE_ WHERE rowid > 1", nil),
      ("SELECT rowid + 5, TWO, ONE FROM TABLE_", nil),
      ("SELECT rowid, TWO, ONE + 1 FROM TABLE_", nil),
      ("SELECT rowid, TWO, ONE FROM TABLE_", "TWO DESC, ONE"),
    ])
  func damagedIndex(rows: String, list: String?) throws {
    let sample = try StartSample.sample()
    let join = try #require(sample.source.joinTables.first)
    let index = try #require(sample.source.indexes.first { $0.table == join.name })
    func named(_ sql: String) -> String {
      sql.replacing("TABLE_", with: join.name).replacing("ONE", with: join.first)
        .replacing("TWO", with: join.second)
    }
    try StartSample.plant(index, rows: named(rows), as: list.map(named))
    try expectMended(sample, index.name)
  }

  @Test("the index of the key of pairs cannot be taken out: the pairs are written again")
  func damagedKey() throws {
    let sample = try StartSample.sample()
    let join = try #require(sample.source.joinTables.first)
    var data = try Data(contentsOf: URL(filePath: samplePath("source.sqlite")))
    // An entry of 3 and 1 in the second row: its length, those of its values, and the values.
    let entry = try #require(data.range(of: Data([6, 4, 1, 9, 1, 3, 2])))
    data[entry.lowerBound + 5] = 5
    try data.write(to: URL(filePath: samplePath("source.sqlite")))
    try expectMended(sample, "sqlite_autoindex_\(join.name)_1")
  }

  private func expectMended(_ sample: LinkSample, _ index: String) throws {
    try make(sample, .empty)
    let empty = try content()
    #expect(empty.schema.last?.hasSuffix("0") == true)
    try StartSample.removeNext()
    let summary = try make(sample, .clone)
    let clone = try content()
    #expect(clone.tables == empty.tables && clone.schema == empty.schema)
    #expect(summary.warnings.map(\.subject) == [index])
  }
}
