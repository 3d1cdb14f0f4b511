import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

private typealias M = MappingModels

@Suite("Objects copied by SQL", .temporaryFolder) struct CopiedRowsTests {
  private static let optional = "optional=\"YES\""
  private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    M.attribute(name, type, optional + " " + more)
  }

  @Test("what no rule changes arrives bit for bit, strange values and NULL counters too")
  func exact() throws {
    let body =
      Self.attribute("d", "Double") + Self.attribute("s", "String")
      + Self.attribute("b", "Binary") + Self.attribute("n", "Decimal")
      + Self.attribute("t", "Date") + Self.attribute("i", "Integer 64")
    let sample = try CopySample.entity(
      body, body + Self.attribute("more", "String"),
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZD, ZS, ZB, ZN, ZT, ZI) VALUES
        (1, 1, 3, 1.7976931348623157e308, 'ä', x'00ff', 0.1, 1, 9223372036854775807),
        (5, 1, NULL, -0.0, CAST(x'ff' AS TEXT), x'', 12, 0.25, 'odd'),
        (9, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL);
        """)
    let sql = "SELECT Z_PK, Z_ENT, Z_OPT, ZD, ZS, ZB, ZN, ZT, ZI FROM"
    let builder = try sample.builder()
    try CopySample.copyAll(builder)
    let (old, new) = (
      try builder.connection.rows("\(sql) source.ZA"),
      try builder.connection.rows("\(sql) main.ZA")
    )
    #expect(old == new && new.count == 3)
    #expect(try builder.connection.integer("SELECT count(ZMORE) FROM main.ZA") == 0)
  }

  @Test("columns in another order than the model's are found by name")
  func permuted() throws {
    let body = Self.attribute("a", "String") + Self.attribute("b", "String")
    let sample = try CopySample.entity(
      body, body,
      rows: """
        DROP TABLE ZA;
        CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, ZB VARCHAR, Z_OPT INTEGER, Z_ENT INTEGER,
        ZA VARCHAR);
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZA, ZB) VALUES (1, 1, 1, 'a', 'b');
        """)
    #expect(try sample.rows("SELECT ZA, ZB FROM main.ZA") == [[.text("a"), .text("b")]])
  }

  @Test("renamed attributes, defaults, constants and replacements of NULL")
  func values() throws {
    let sample = try CopySample.entity(
      Self.attribute("old", "String") + Self.attribute("gap", "Integer 16"),
      Self.attribute("new", "String", "elementID=\"old\"")
        + Self.attribute("plus", "Integer 32", "defaultValueString=\"7\"")
        + M.attribute("gap", "Integer 16", "defaultValueString=\"5\"")
        + Self.attribute("told", "String"),
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZOLD, ZGAP) VALUES (1, 1, 1, 'x', NULL),
        (2, 1, 1, NULL, 3);
        """
    ) {
      $0.maps = [EntityMap(entity: "A", attributes: ["told": .constant(.string("it's"))])]
    }
    #expect(
      try sample.rows("SELECT ZNEW, ZPLUS, ZGAP, ZTOLD FROM main.ZA ORDER BY Z_PK") == [
        [.text("x"), .integer(7), .integer(5), .text("it's")],
        [.null, .integer(7), .integer(3), .text("it's")],
      ])
  }

  @Test("conditions leave objects out, and they are counted")
  func conditions() throws {
    let body = Self.attribute("n", "Integer 16")
    let sample = try CopySample.entity(
      body, body,
      rows:
        "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 1), (2, 1, 1, 2), (3, 1, 1, 3);"
    ) { $0.filters = [ObjectFilter(entity: "A", condition: "n > 1")] }
    let copies = try CopySample.copyAll(try sample.builder())
    #expect(copies.map(\.leftOut) == [1])
    #expect(copies.map(\.progress.rows) == [3])
    #expect(copies.map(\.progress.total) == [3])
  }

  @Test("each entity of a table keeps its rows, under its new number")
  func hierarchy() throws {
    let sample = try CopySample(
      "<entity name=\"P\"/><entity name=\"K\" parentEntity=\"P\"/>",
      "<entity name=\"B\"/><entity name=\"P\"/><entity name=\"K\" parentEntity=\"P\"/>",
      rows: "INSERT INTO ZP (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 2, 1), (4, 2, 1);")
    #expect(
      try sample.rows("SELECT Z_PK, Z_ENT FROM main.ZP ORDER BY Z_PK") == [
        [.integer(1), .integer(2)], [.integer(2), .integer(3)], [.integer(4), .integer(3)],
      ])
  }

  @Test("objects that come into another table get new keys, which are noted")
  func renumbered() throws {
    let sample = try CopySample(
      "<entity name=\"A\"/><entity name=\"B\"/>", "<entity name=\"A\"/>",
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (7, 1, 1);
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (3, 2, 2);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_ENT = 1;
        """
    ) { $0.maps = [EntityMap(entity: "A", from: "A"), EntityMap(entity: "A", from: "B")] }
    #expect(sample.mapping.problems.isEmpty)
    let builder = try sample.builder()
    try CopySample.copyAll(builder, limits: ChunkLimits(rows: 1))
    let rows = try builder.connection.rows("SELECT Z_PK, Z_OPT FROM main.ZA ORDER BY Z_PK")
    #expect(rows.map { $0[0].integer } == [1, 7, 10, 11])
    #expect(
      try builder.connection.rows("SELECT * FROM pipeline_objects ORDER BY source") == [
        [.integer(2), .integer(1), .integer(1), .integer(10), .integer(0)],
        [.integer(2), .integer(3), .integer(1), .integer(11), .integer(0)],
      ])
    #expect(try builder.allocateKey(root: "A") == 12)
  }

  @Test("links travel, with the number that the other object's entity has now")
  func links() throws {
    let link = "<relationship name=\"to\" destinationEntity=\"P\" maxCount=\"1\" optional=\"YES\"/>"
    let family = "<entity name=\"P\"/><entity name=\"K\" parentEntity=\"P\"/>"
    let sample = try CopySample(
      "<entity name=\"O\">\(link)</entity>\(family)",
      "<entity name=\"B\"/><entity name=\"O\">\(link)</entity>\(family)",
      rows: """
        INSERT INTO ZP (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 3, 1);
        INSERT INTO ZO (Z_PK, Z_ENT, Z_OPT, ZTO, Z2_TO) VALUES (1, 1, 1, 2, 3), (2, 1, 1, 1, 2),
        (3, 1, 1, NULL, NULL);
        """)
    #expect(
      try sample.rows("SELECT ZTO, Z3_TO FROM main.ZO ORDER BY Z_PK") == [
        [.integer(2), .integer(4)], [.integer(1), .integer(3)], [.null, .null],
      ])
  }

  @Test("a stopped run resumes where it was, and no row is lost or doubled")
  func resume() throws {
    let body = Self.attribute("n", "Integer 16")
    let sample = try CopySample.entity(
      body, body + Self.attribute("more", "String"),
      rows: """
        WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 2 FROM c WHERE x < 999)
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) SELECT x, 1, 1, x FROM c;
        """)
    for round in 0..<3 {
      let builder = try sample.builder()
      #expect(builder.isResumed == (round > 0))
      let copy = try builder.copy(of: builder.mapping.objects[0], limits: ChunkLimits(rows: 50))
      #expect(copy.progress.rows == round * 100)
      #expect(try copy.chunk())
      #expect(try copy.chunk())
    }
    let builder = try sample.builder()
    let copy = try builder.copy(of: builder.mapping.objects[0])
    while try copy.chunk() {}
    #expect(try !copy.chunk())
    #expect(
      try builder.connection.rows("SELECT Z_PK, ZN FROM main.ZA")
        == builder.connection.rows("SELECT Z_PK, ZN FROM source.ZA"))
    #expect(copy.progress.rows == 500 && copy.leftOut == 0)
  }
}
