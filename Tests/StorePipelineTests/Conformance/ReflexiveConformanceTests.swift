import CoreDataStore
import StorePipeline
import TestSupport
import Testing

@Suite("Whole migrations of links among objects of one entity", .temporaryFolder)
struct ReflexiveConformanceTests {
  private typealias Pair = MadePair

  private static let ordered = "ordered=\"YES\""
  private static let nodes =
    "INSERT INTO ZN (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1);"

  /// A relationship that is its own inverse.
  private static func friends(isMany: Bool, _ more: String = "") -> String {
    Pair.entity(
      "N", nil, isMany ? Pair.many("r", "N", "r", more) : Pair.one("r", "N", "r", more))
  }

  /// Parents and children, each to one or to many.
  private static func tree(
    up: Bool, down: Bool, upOrder: String = "", downOrder: String = ""
  )
    -> String
  {
    Pair.entity(
      "N", nil,
      up ? Pair.many("up", "N", "down", upOrder) : Pair.one("up", "N", "down"),
      down ? Pair.many("down", "N", "up", downOrder) : Pair.one("down", "N", "up"))
  }

  /// Takes a number that lies before the entity's own, so that all names with numbers change.
  private static let before = Pair.entity("A")

  @Test("pairs of a relationship that is its own inverse follow its entity's new number")
  func renumbered() async throws {
    let pair = try Pair(
      Self.friends(isMany: true), Self.before + Self.friends(isMany: true),
      rows: Self.nodes + "INSERT INTO Z_1R VALUES (1, 2), (2, 1), (3, 3), (4, 1), (1, 4);")
    #expect(try await pair.run().faults == [])
    #expect(
      try pair.rows("SELECT Z_2R, REFLEXIVE FROM Z_2R ORDER BY 1, 2")
        == ["1|2", "1|4", "2|1", "3|3", "4|1"])
    #expect(try pair.rows("SELECT Z_PK, Z_ENT FROM ZN ORDER BY 1") == ["1|2", "2|2", "3|2", "4|2"])
  }

  @Test("one to one with itself becomes many to many: both directions are there")
  func grown() async throws {
    let pair = try Pair(
      Self.friends(isMany: false), Self.friends(isMany: true),
      rows: Self.nodes
        + "UPDATE ZN SET ZR = CASE Z_PK WHEN 1 THEN 2 WHEN 2 THEN 1 WHEN 3 THEN 3 END;")
    #expect(try await pair.run().faults == [])
    #expect(try pair.rows("SELECT Z_1R, REFLEXIVE FROM Z_1R ORDER BY 1") == ["1|2", "2|1", "3|3"])
  }

  @Test("one to one with itself becomes ordered many to many: and gets places")
  func grownOrdered() async throws {
    let pair = try Pair(
      Self.friends(isMany: false), Self.friends(isMany: true, Self.ordered),
      rows: Self.nodes + "UPDATE ZN SET ZR = CASE Z_PK WHEN 1 THEN 2 WHEN 2 THEN 1 END;")
    #expect(try await pair.run().faults == [])
    #expect(try pair.rows("SELECT * FROM Z_1R ORDER BY 1") == ["1|2|2000", "2|1|2000"])
  }

  @Test("newly ordered pairs get the keys of their objects as places")
  func newlyOrdered() async throws {
    let pair = try Pair(
      Self.friends(isMany: true), Self.friends(isMany: true, Self.ordered),
      rows: Self.nodes + "INSERT INTO Z_1R VALUES (1, 4), (4, 1), (1, 2), (2, 1), (1, 3), (3, 1);")
    #expect(try await pair.run().faults == [])
    #expect(
      try pair.rows("SELECT * FROM Z_1R ORDER BY 1, 2") == [
        "1|2|2", "1|3|3", "1|4|4", "2|1|1", "3|1|1", "4|1|1",
      ])
  }

  @Test("many to many with itself becomes one to one: friends are each other's friend")
  func shrunk() async throws {
    let pair = try Pair(
      Self.friends(isMany: true), Self.friends(isMany: false),
      rows: Self.nodes + "INSERT INTO Z_1R VALUES (1, 2), (2, 1), (1, 3), (3, 1), (3, 4), (4, 3);")
    #expect(try pair.plan().problems.map(\.message).contains { $0.contains("N.r") })
    let answer = try await pair.run("one { \"N.r\", keep = \"first\" }")
    #expect(answer.faults == [])
    let found = try pair.rows("SELECT Z_PK, ZR FROM ZN WHERE ZR IS NOT NULL ORDER BY 1")
    #expect(found == ["1|2", "2|1", "3|4", "4|3"])
    #expect(answer.summary.warnings.contains { $0.contains("N.r") && $0.contains("discarded") })
  }

  @Test("a tree keeps its links and the order of children under new numbers")
  func tree() async throws {
    let tree = Self.tree(up: false, down: true, downOrder: Self.ordered)
    let pair = try Pair(tree, Self.before + tree, rows: Self.nodes + Self.family)
    #expect(try await pair.run().faults == [])
    #expect(
      try pair.rows("SELECT Z_PK, ZUP, Z_FOK_UP FROM ZN ORDER BY 1")
        == ["1|NULL|NULL", "2|1|4096", "3|1|2048", "4|3|2048"])
  }

  /// 2 and 3 are children of 1, 3 before 2; 4 is a child of 3.
  private static let family = """
    UPDATE ZN SET ZUP = CASE Z_PK WHEN 2 THEN 1 WHEN 3 THEN 1 WHEN 4 THEN 3 END,
      Z_FOK_UP = CASE Z_PK WHEN 2 THEN 4096 WHEN 3 THEN 2048 WHEN 4 THEN 2048 END;
    """

  @Test("a tree becomes a web: children keep their places, parents get some")
  func web() async throws {
    let pair = try Pair(
      Self.tree(up: false, down: true, downOrder: Self.ordered),
      Self.tree(up: true, down: true, upOrder: Self.ordered, downOrder: Self.ordered),
      rows: Self.nodes + Self.family)
    #expect(try await pair.run().faults == [])
    let table = try #require(try Pair.joinTables(Self.tree(up: true, down: true)).first)
    #expect(
      try pair.rows("SELECT Z_1UP, Z_1DOWN, Z_FOK_1DOWN, Z_FOK_1UP FROM \(table) ORDER BY 2")
        == ["1|2|4096|2000", "1|3|2048|2000", "3|4|2048|2000"])
  }

  @Test(
    "a web becomes a tree by a declared choice, and what goes is counted",
    arguments: [
      ("first", "3|1"), ("last", "3|4"),
    ])
  func narrowed(keep: String, third: String) async throws {
    let web = Self.tree(up: true, down: true)
    let table = try #require(try Pair.joinTables(web).first)
    let pair = try Pair(
      web, Self.tree(up: false, down: true),
      rows: Self.nodes
        + "INSERT INTO \(table) (Z_1UP, Z_1DOWN) VALUES (1, 2), (1, 3), (4, 3), (3, 4);")
    #expect(try pair.plan().problems.map(\.message).contains { $0.contains("N.up") })
    let answer = try await pair.run("one { \"N.up\", keep = \"\(keep)\" }")
    #expect(answer.faults == [])
    #expect(
      try pair.rows("SELECT Z_PK, ZUP FROM ZN WHERE ZUP IS NOT NULL ORDER BY 1")
        == ["2|1", third, "4|3"])
    #expect(answer.summary.warnings.contains { $0.contains("N.up") && $0.contains("1 link") })
  }
}
