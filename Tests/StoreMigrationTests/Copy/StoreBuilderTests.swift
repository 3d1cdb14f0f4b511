import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

private typealias M = MappingModels

@Suite("A store being built", .temporaryFolder) struct StoreBuilderTests {
  private static let body = M.attribute("n", "Integer 16", "optional=\"YES\"")

  private func sample(_ rows: String = "") throws -> CopySample {
    try CopySample.entity(Self.body, Self.body, rows: rows)
  }

  @Test("progress is found again, with what a script saved")
  func progress() throws {
    let sample = try sample()
    do {
      let builder = try sample.builder()
      #expect(try builder.progress(of: "x") == nil)
      try builder.record(ProgressRow(unit: "x", last: 4, rows: 3, state: [1, 2]))
      try builder.record(
        ProgressRow(unit: "x", last: 5, rows: 4, made: 2, bytes: 9, state: [], isDone: true))
      try builder.close()
    }
    let found = try sample.builder().progress(of: "x")
    #expect(
      found
        == ProgressRow(unit: "x", last: 5, rows: 4, made: 2, bytes: 9, state: [], isDone: true))
  }

  @Test("new keys come after every key that was in use or given out, and never twice")
  func keys() throws {
    let sample = try sample(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (8, 1, 1);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 3, Z_NAME = 'Old';
      """)
    do {
      let builder = try sample.builder()
      #expect(try builder.allocateKey(root: "A") == 9)
      #expect(try builder.allocateKey(root: "A") == 10)
    }
    #expect(try sample.builder().allocateKey(root: "A") == 11)
    #expect(try sample.builder().objectCount(of: "A") == 1)
  }

  @Test(
    "a file that is no store of ours, or a damaged one, is made again",
    arguments: ["", "not a database at all, whatever its name says"])
  func damaged(content: String) throws {
    let sample = try sample("INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);")
    try Data(content.utf8).write(to: URL(filePath: sample.path))
    let builder = try sample.builder()
    #expect(!builder.isResumed)
    try CopySample.copyAll(builder)
    #expect(try builder.connection.integer("SELECT count(*) FROM main.ZA") == 1)
  }

  @Test("a store whose pages were damaged is made again")
  func damagedPages() throws {
    let sample = try sample("INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);")
    try sample.builder().close()
    let file = URL(filePath: sample.path)
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(4096..., with: Data(repeating: 0xa5, count: bytes.count - 4096))
    try bytes.write(to: file)
    #expect(try !sample.builder().isResumed)
  }

  @Test(
    "a source that is not as its model says is refused, by table",
    arguments: [
      "ALTER TABLE ZA DROP COLUMN ZN;", "DROP TABLE ZA;",
      "DROP TABLE ZA; CREATE VIEW ZA AS SELECT 1 AS Z_PK, 1 AS Z_ENT, 1 AS Z_OPT, 1 AS ZN;",
    ])
  func strange(change: String) throws {
    let sample = try sample()
    do {
      let connection = try Connection(path: sample.sourcePath, mode: .own(create: false))
      try connection.execute(change)
    }
    let error = #expect(throws: Failure.self) { try sample.builder() }
    #expect(error?.what == "cannot read the table")
    #expect(error?.subject.hasSuffix("source.sqlite, ZA") == true)
  }

  @Test("an entity that is not there is an error with the nearest name")
  func unknown() throws {
    let error = #expect(throws: Failure.self) {
      try sample().builder().objectCount(of: "B")
    }
    #expect(error?.why.contains("did you mean A") == true)
  }

  private static let manyRows = """
    WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000)
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) SELECT x, 1, 1, x FROM c;
    """

  @Test("a process that dies in a chunk leaves the chunks before it, and nothing of this one")
  func killed() async throws {
    let folder = TemporaryFolder.url.path
    await #expect(processExitsWith: .exitCode(9)) { [folder = folder as String] in
      try TemporaryFolder.$url.withValue(URL(filePath: folder)) {
        let sample = try CopySample.entity(Self.body, Self.body, rows: Self.manyRows)
        let builder = try sample.builder()
        // Few pages in memory: those of an unfinished chunk are in the file, too.
        try builder.connection.execute("PRAGMA main.cache_size = 5")
        let copy = try ScriptedCopy(
          builder, entity: "A", limits: ChunkLimits(rows: 1000, time: .seconds(60)))
        // A hundred rows at first, and eight times as many then.
        for _ in 0..<2 {
          _ = try copy.chunk(state: { [1] }, { _ = try copy.makeDefault($0) })
        }
        _ = try copy.chunk(state: { [2] }) { object in
          _ = try copy.makeDefault(object)
          if object.id.key == 1800 { exit(9) }
        }
      }
    }
    let builder = try sample(Self.manyRows).builder()
    #expect(builder.isResumed)
    #expect(try builder.connection.integer("SELECT count(*) FROM main.ZA") == 900)
    let copy = try ScriptedCopy(builder, entity: "A")
    #expect(copy.rows == 900 && copy.savedState == [1])
    while try copy.chunk(state: { nil }, { _ = try copy.makeDefault($0) }) {}
    #expect(
      try builder.connection.rows("SELECT Z_PK, ZN FROM main.ZA")
        == builder.connection.rows("SELECT Z_PK, ZN FROM source.ZA"))
    #expect(try builder.connection.integer("SELECT count(*) FROM pipeline_objects") == 3000)
  }

  @Test("a store whose notes have rowids, as older builds made them, is resumed")
  func olderNotes() throws {
    let sample = try sample("INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);")
    do {
      let builder = try sample.builder()
      try builder.record(ProgressRow(unit: "x", rows: 7))
      try builder.connection.execute(
        """
        CREATE TABLE main.older (unit TEXT PRIMARY KEY, last INTEGER, rows INTEGER, made INTEGER,
        bytes INTEGER, state BLOB, done INTEGER);
        INSERT INTO main.older SELECT * FROM main.pipeline_progress;
        DROP TABLE main.pipeline_progress; ALTER TABLE main.older RENAME TO pipeline_progress;
        """)
      try builder.close()
    }
    let builder = try sample.builder()
    #expect(builder.isResumed)
    #expect(try builder.progress(of: "x")?.rows == 7)
    try builder.record(ProgressRow(unit: "x", rows: 8))
    #expect(try builder.progress(of: "x")?.rows == 8)
    #expect(
      try builder.connection.integer(
        "SELECT count(*) FROM main.pipeline_progress WHERE unit = 'x'") == 1)
  }
}
