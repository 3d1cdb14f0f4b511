import CoreDataStore
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("A store that begins as a clone", .temporaryFolder)
struct KeptContentTests {
  /// Makes the store, in one go or with a new process's eyes after each piece.
  private func make(_ sample: LinkSample, _ start: StoreStart, inPieces: Bool = false) throws {
    var construction = try sample.construction(start: start)
    func pause() throws {
      guard inPieces else { return }
      try construction.close()
      construction = try sample.construction(start: start)
      #expect(construction.isResumed)
    }
    for object in sample.mapping.objects {
      try pause()
      let copy = try ObjectCopy(construction, object, limits: ChunkLimits(rows: 3))
      while try copy.chunk() {}
      #expect(copy.progress.rows == copy.progress.total)
    }
    try pause()
    _ = try LinkCopy(construction).run()
    try pause()
    _ = try StoreFinish(construction, FinishChoices()).run()
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

  @Test("is the store that begins empty, table for table and word for word", arguments: strange)
  func same(sql: String) throws {
    let sample = try StartSample.sample(changing: sql)
    try make(sample, .empty)
    let empty = try content()
    try StartSample.removeNext()
    try make(sample, .clone)
    let clone = try content()
    #expect(clone.tables == empty.tables)
    #expect(clone.schema == empty.schema)
    #expect(empty.tables["ZA"]?.count == 4)
  }

  @Test("goes on where it stopped, after each piece", arguments: [strange[0], strange[6]])
  func resumed(sql: String) throws {
    let sample = try StartSample.sample(changing: sql)
    try make(sample, .empty)
    let empty = try content()
    try StartSample.removeNext()
    try make(sample, .clone, inPieces: true)
    let clone = try content()
    #expect(clone.tables == empty.tables && clone.schema == empty.schema)
  }

  @Test("has what stays at once, and the changed tables empty")
  func beginning() throws {
    let construction = try StartSample.sample().construction(start: .clone)
    let counts = try ["ZA", "ZB"].map {
      try construction.connection.integer("SELECT count(*) FROM main.\($0)")
    }
    #expect(counts == [4, 0])
    let copy = try ObjectCopy(construction, construction.mapping.objects[0])
    #expect(try !copy.chunk())
    #expect(copy.progress.rows == 4 && copy.leftOut == 0)
  }

  @Test("is made anew when it was killed before it was ours", arguments: [false, true])
  func killed(inTheMiddle: Bool) throws {
    let sample = try StartSample.sample()
    try StartSample.copySourceToNext()
    if inTheMiddle {
      let file = try FileHandle(forWritingTo: URL(filePath: samplePath("next.sqlite")))
      try file.truncate(atOffset: 6000)
      try file.close()
    }
    let construction = try sample.construction(start: .clone)
    #expect(!construction.isResumed)
    #expect(try construction.connection.integer("SELECT count(*) FROM main.ZA") == 4)
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
}
