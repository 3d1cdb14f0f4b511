import StorePipeline
import TestSupport
import Testing

@Suite("Small models with which `make differential` found a difference", .temporaryFolder)
struct FoundDifferencesTests {
  private typealias Pair = MadePair

  private static let nodes =
    "INSERT INTO ZN (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1);"
  private static let pairOfTwo = "UPDATE ZN SET ZURL = 3 - Z_PK, ZITEMS = 3 - Z_PK WHERE Z_PK < 3;"

  @Test("of two columns the one of the relationship that names the table gives the places")
  func placesOfTwoColumns() async throws {
    let pair = try Pair(
      Pair.entity("N", nil, Pair.one("url", "N", "items"), Pair.one("items", "N", "url")),
      Pair.entity(
        "N", nil, Pair.many("url", "N", "items", "ordered=\"YES\""),
        Pair.many("items", "N", "url")), rows: Self.nodes + Self.pairOfTwo)
    #expect(try await pair.run().faults == [])
    #expect(
      try pair.rows("SELECT Z_1URL, Z_1ITEMS, Z_FOK_1URL FROM Z_1URL ORDER BY 1")
        == ["1|2|2000", "2|1|2000"])
  }

  @Test("of two columns that do not agree the one of that relationship gives the links")
  func linksOfTwoColumns() async throws {
    let pair = try Pair(
      Pair.entity("N", nil, Pair.one("url", "N", "items"), Pair.one("items", "N", "url")),
      Pair.entity("N", nil, Pair.many("url", "N", "items"), Pair.many("items", "N", "url")),
      rows: Self.nodes + "UPDATE ZN SET ZURL = 2 WHERE Z_PK = 1;")
    #expect(try await pair.run().faults == [])
    #expect(try pair.rows("SELECT Z_1ITEMS, Z_1URL FROM Z_1URL") == ["1|2"])
  }

  @Test("a new inverse of a relationship to one starts empty, and that breaks no rule")
  func newInverse() async throws {
    let pair = try Pair(
      Pair.entity("N", nil, Pair.one("url", "N")),
      Pair.entity("N", nil, Pair.one("url", "N", "zone"), Pair.one("zone", "N", "url")),
      rows: Self.nodes + "UPDATE ZN SET ZURL = 2 WHERE Z_PK = 1;")
    let (faults, summary) = try await pair.run()
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(
      summary.warnings.contains(
        "not checked: N.url: whether the inverse leads back; Core Data leaves a new one empty"),
      "\(summary.warnings)")
    #expect(
      try pair.rows("SELECT Z_PK, ZURL, ZZONE FROM ZN") == [
        "1|2|NULL", "2|NULL|NULL", "3|NULL|NULL",
      ])
  }

  @Test("one end of one to one that has another name starts empty; the other keeps the links")
  func renamedEnd() async throws {
    let pair = try Pair(
      Pair.entity("N", nil, Pair.one("url", "N", "items"), Pair.one("items", "N", "url")),
      Pair.entity("N", nil, Pair.one("url", "N", "back"), Pair.one("back", "N", "url")),
      rows: Self.nodes + Self.pairOfTwo)
    let (faults, summary) = try await pair.run()
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(
      try pair.rows("SELECT ZURL, ZBACK FROM ZN WHERE Z_PK < 3 ORDER BY Z_PK") == [
        "2|NULL", "1|NULL",
      ])
  }

  @Test("an identifier that two inherited properties share is refused, although their entity ends")
  func inheritedAmbiguity() throws {
    let pair = try Pair(
      Pair.entity("Top", nil, Self.shared("x"), Pair.text("id")) + Pair.entity("N", "Top"),
      Pair.entity("N", nil, Pair.text("new")), rows: "")
    let problems = try pair.plan("accept_loss = \"*\"").problems
    #expect(
      problems.contains {
        $0.message.contains("Each property must have a unique renaming identifier")
      }, "\(problems)")
    #expect(try pair.plan("drop { \"Top.x\", \"Top.id\", \"Top\" }").problems.isEmpty)
  }

  private static func shared(_ name: String) -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\" elementID=\"id\"/>"
  }
}
