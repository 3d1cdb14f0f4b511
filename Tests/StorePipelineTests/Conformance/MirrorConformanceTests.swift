import CoreDataStore
import Formats
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Stores that are mirrored to CloudKit", .temporaryFolder)
struct MirrorConformanceTests {
  private typealias Pair = MadePair
  private typealias Mirror = MirrorTablesSample

  /// The entities have the numbers A 1, B 2 and C 3.
  private static let before =
    Pair.entity("A", nil, Pair.text("x"), Pair.many("bs", "B", "as"))
    + Pair.entity("B", nil, Pair.many("as", "A", "bs")) + Pair.entity("C", nil, Pair.text("y"))
  private static let rows =
    """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'one'), (2, 1, 1, 'two');
    INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
    INSERT INTO ZC (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1);
    """ + Mirror.tables + Mirror.record(1, entity: 1, object: 1)
    + Mirror.record(2, entity: 2, object: 1) + Mirror.record(3, entity: 3, object: 1)
      + """
      INSERT INTO ANSCKMIRROREDRELATIONSHIP VALUES (1, 17010, 1, 1, 'A', 'B', 'bs'),
        (2, 17010, 1, 1, 'B', 'A', 'as');
      INSERT INTO ANSCKHISTORYANALYZERSTATE VALUES (1, 17006, 1, 2, 1);

      """

  private static let records =
    "SELECT Z_PK, ZENTITYID, ZENTITYPK, ZCKRECORDNAME FROM ANSCKRECORDMETADATA ORDER BY Z_PK"

  private static func pair(_ after: String, more: String = "") throws -> Pair {
    try Pair(before, after, rows: rows + more, keepsHistory: true)
  }

  @Test("a plan refuses them unless the file makes a choice, and names the choices")
  func refused() throws {
    let pair = try Self.pair(Self.before.replacing("\"x\"", with: "\"x2\""))
    let error = #expect(throws: Failure.self) { try pair.plan() }
    #expect(error?.kind == .unusable)
    #expect(error?.remedy.contains("cloudkit = \"carry\"") == true)
    #expect(error?.remedy.contains("\"reset\"") == true)
  }

  @Test("records get the new numbers of their entities, all at once")
  func renumbered() async throws {
    // B gets the number of C: one after another, the two would collide.
    let pair = try Self.pair(Pair.entity("AA", nil, Pair.text("z")) + Self.before)
    let (faults, summary) = try await pair.run(open: "cloudkit = \"carry\"")
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(try pair.rows(Self.records) == ["1|1|1|r1", "2|3|1|r2", "3|4|1|r3"])
    #expect(
      try pair.rows("SELECT ZENTITYID, ZENTITYPK FROM ANSCKHISTORYANALYZERSTATE") == ["3|1"])
    #expect(
      try pair.rows("SELECT hex(ZBINARYDATA) FROM ANSCKRECORDMETADATASYSTEMFIELDSASSET")
        == ["0102FF"])
    #expect(
      try pair.rows("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 17012")
        == ["17012|NSCKRecordMetadata|99"])
    #expect(
      try pair.rows("SELECT name FROM sqlite_master WHERE name LIKE 'Z_NSCK%'")
        == ["Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK"])
    let metadata = try Store(pair.store).metadata
    #expect(metadata.entries[MirrorTables.fetchesZones] == .dictionary([:]))
    #expect(summary.warnings.contains { $0.contains("built from documentation") })
  }

  @Test("a record without an entity does not become one of a new entity")
  func stray() async throws {
    let pair = try Self.pair(
      Self.before + Pair.entity("D", nil, Pair.text("z")),
      more: Mirror.record(4, entity: 4, object: 1))
    let (faults, summary) = try await pair.run(open: "cloudkit = \"carry\"")
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(try pair.rows(Self.records) == ["1|1|1|r1", "2|2|1|r2", "3|3|1|r3"])
    #expect(summary.warnings.contains { $0.contains("1 row of ANSCKRECORDMETADATA") })
  }

  @Test("a change that only the history has waits to be exported")
  func history() throws {
    let pair = try Self.pair(
      Self.before.replacing("\"y\"", with: "\"y\" versionHashModifier=\"1\""),
      more: """
        UPDATE ANSCKRECORDMETADATA SET ZLASTEXPORTEDTRANSACTIONNUMBER = 1;
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (1, 16002, 1, 0),
          (2, 16002, 1, 0);
        INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        VALUES (1, 16001, 1, 1, 1, 1, 2), (2, 16001, 1, 1, 3, 1, 1);
        """)
    #expect(try Self.mirror(pair)?.pendingExports == 1)
  }

  @Test("records of removed entities are left out, and so are their pairs")
  func ended() async throws {
    let after =
      Pair.entity("A", nil, Pair.text("x")) + Pair.entity("C", nil, Pair.text("y"))
    let pair = try Self.pair(after)
    let (faults, summary) = try await pair.run(
      "drop { \"B\", \"A.bs\" }", open: "cloudkit = \"carry\"")
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(try pair.rows(Self.records) == ["1|1|1|r1", "3|2|1|r3"])
    #expect(try pair.rows("SELECT count(*) FROM ANSCKMIRROREDRELATIONSHIP") == ["0"])
    #expect(
      summary.warnings.contains {
        $0.contains("1 row of ANSCKRECORDMETADATA left out")
      }, "\(summary.warnings)")
  }

  @Test(
    "a plan refuses what Core Data refuses and what would break the mirror, and says why",
    arguments: [
      (
        "", ("\"x\"", "\"x2\""), "rename { entity = \"A\", attributes = { x = \"x2\" } }",
        "Properties cannot be renamed in stores that are used with CloudKit. Cannot rename "
          + "'A.x' to 'A.x2'."
      ),
      (
        "", ("name=\"C\"", "name=\"D\""), "rename { entity = \"C\", to = \"D\" }",
        "CloudKit integration forbids renaming 'C' to 'D'. Older devices can't process the new "
          + "records."
      ),
      (
        "", ("\"y\"", "\"y\" versionHashModifier=\"1\""), "where { entity = \"C\", \"y != nil\" }",
        "an object that is left out stays on the server"
      ),
      (
        "", ("\"y\"", "\"y\" versionHashModifier=\"1\""), "drop { \"C\" }",
        "C: its objects are left out, and come back from the server"
      ),
      (
        "", ("\"y\"", "\"y\" versionHashModifier=\"1\""), "drop { \"A.bs\" }",
        "A.bs: its links are left out, and come back from the server"
      ),
      (
        "stage \"metadata\" { history = \"drop\" }", ("\"y\"", "\"y\" versionHashModifier=\"1\""),
        "", "that were not exported yet would never be exported"
      ),
      (
        "stage \"metadata\" { uuid = \"new\" }", ("\"y\"", "\"y\" versionHashModifier=\"1\""), "",
        "the mirror belongs to the store with the old UUID"
      ),
      (
        "stage \"transform\" { entity = \"C\", script = \"c.lua\", on_error = \"reject\" }",
        ("\"y\"", "\"y\" versionHashModifier=\"1\""), "",
        "C: an object that its script fails on would be left out, and stays on the server."
      ),
    ])
  func breaks(
    more: String, change: (String, String), rules: String, reason: String
  ) throws {
    let pair = try Self.pair(Self.before.replacing(change.0, with: change.1))
    try pair.write("return { attributes = { y = \"new\" } }", to: "c.lua")
    let problems = try pair.plan(rules, open: "cloudkit = \"carry\"", more: more).problems
    #expect(problems.contains { $0.message.contains(reason) }, "\(problems)")
    #expect(problems.allSatisfy { $0.line > 0 })
  }

  @Test(
    "a reset leaves tables, numbers and entries behind, and warns", arguments: ["reset", "drop"])
  func reset(word: String) async throws {
    let pair = try Self.pair(
      Self.before.replacing("\"y\"", with: "\"y\" versionHashModifier=\"1\""))
    let (faults, summary) = try await pair.run(open: "cloudkit = \"\(word)\"")
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(
      try pair.rows("SELECT name FROM sqlite_master WHERE tbl_name LIKE 'ANSCK%'") == [])
    #expect(try pair.rows("SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_ENT > 17000") == ["0"])
    #expect(summary.warnings.contains { $0.contains("there may be two of each object") })
  }

  @Test("a reset that loses changes must be accepted")
  func pending() throws {
    let change = Mirror.record(4, entity: 1, object: 2, ["ZNEEDSUPLOAD": 1])
    let pair = try Self.pair(
      Self.before.replacing("\"y\"", with: "\"y\" versionHashModifier=\"1\""), more: change)
    let problems = try pair.plan(open: "cloudkit = \"reset\"").problems
    #expect(problems.map(\.message).contains { $0.contains("--accept-loss CloudKit") })
    #expect(
      try pair.plan("accept_loss = \"CloudKit\"", open: "cloudkit = \"reset\"").problems.isEmpty)
  }

  @Test("inspect counts the records that do not fit, and the plan warns of them")
  func misfits() throws {
    let more =
      Mirror.record(4, entity: 1, object: 77) + Mirror.record(5, entity: 9, object: 1)
      + Mirror.record(
        6, entity: 1, object: 2, ["ZLASTEXPORTEDTRANSACTIONNUMBER": 12, "ZNEEDSCLOUDDELETE": 1])
    let pair = try Self.pair(
      Self.before.replacing("\"y\"", with: "\"y\" versionHashModifier=\"1\""), more: more)
    let mirror = try #require(try Self.mirror(pair))
    #expect(mirror.records == 6 && mirror.zones == 1)
    #expect(mirror.pendingDeletes == 1 && mirror.pendingExports == 0)
    #expect(
      [mirror.withoutObject, mirror.withoutEntity, mirror.beyondHistory] == [1, 1, 1], "\(mirror)")
    let warnings = try pair.plan(open: "cloudkit = \"carry\"").warnings
    #expect(warnings.contains("CloudKit: 1 record refers to an object that does not exist."))
    #expect(
      warnings.contains { $0.contains("\"reset\" the app builds the mirror again") }, "\(warnings)")
    #expect(
      warnings.contains { $0.contains("1 object was deleted here but not yet on the server") })
  }

  private static func mirror(_ pair: Pair) throws -> MirrorFacts? {
    let store = try Store(pair.store)
    return try store.facts(store.recognise()).mirror
  }
}
