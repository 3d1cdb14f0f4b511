import CoreDataStore
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Composite attributes in a migration", .temporaryFolder)
struct CompositesConformanceTests {
  private typealias Pair = MadePair

  private static let parts = """
    <composite name="Geo"><attribute name="lat" attributeType="Double" optional="YES"/>
    <attribute name="city" attributeType="String" optional="YES"/></composite>
    <composite name="Address"><attribute name="city" attributeType="String" optional="YES"/>
    <attribute name="geo" attributeType="Composite" composite="Geo"/></composite>
    """
  private static func holding(_ name: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" attributeType=\"Composite\" composite=\"Address\" \(more)/>"
  }

  private static let before =
    parts + Pair.entity("A", nil, holding("home"), holding("work"), Pair.text("x"))
  private static let rows = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZCITY, ZLAT, ZCITY1, ZCITY2, ZX)
    VALUES (1, 1, 1, 'Kyoto', 35.5, 'near', 'Porto', 'one');
    """

  private static func values(_ pair: Pair, _ names: String...) throws -> [String] {
    let model = try Store(pair.store).metadata.hashes.keys
    #expect(!model.isEmpty)
    return try pair.rows("SELECT \(names.joined(separator: ", ")) FROM ZA")
  }

  @Test("what they hold comes along, equal names of elements included")
  func carried() async throws {
    let pair = try Pair(
      Self.before, Self.before.replacing("\"x\"", with: "\"x\" versionHashModifier=\"1\""),
      rows: Self.rows)
    let (faults, summary) = try await pair.run()
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(
      try Self.values(pair, "ZCITY", "ZLAT", "ZCITY1", "ZCITY2", "ZX")
        == ["Kyoto|35.5|near|Porto|one"])
    #expect(summary.warnings.contains { $0.contains("composite attributes (A.home, A.work)") })
  }

  @Test("a renamed one keeps what it holds, and a new one holds its defaults")
  func renamed() async throws {
    let after =
      Self.parts.replacing(
        "<attribute name=\"city\" attributeType=\"String\" optional=\"YES\"/>",
        with: "<attribute name=\"city\" attributeType=\"String\" defaultValueString=\"Here\"/>")
      + Pair.entity(
        "A", nil, Self.holding("house", "elementID=\"home\""), Self.holding("work"),
        Self.holding("other"), Pair.text("x"))
    let pair = try Pair(Self.before, after, rows: Self.rows)
    let (faults, summary) = try await pair.run()
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(
      try Self.values(pair, "ZCITY", "ZLAT", "ZCITY1") == ["Kyoto|35.5|near"])
    #expect(try Self.values(pair, "ZCITY2", "ZCITY4") == ["Here|Porto"])
  }

  @Test("removing a composite loses each part, and each loss must be accepted by path")
  func ended() async throws {
    let after = Self.parts + Pair.entity("A", nil, Self.holding("home"), Pair.text("x"))
    let pair = try Pair(Self.before, after, rows: Self.rows)
    let problems = try pair.plan().problems.map(\.message)
    #expect(problems.contains { $0.contains("A.work.city") }, "\(problems)")
    let drop = "drop { \"A.work.city\", \"A.work.geo.lat\", \"A.work.geo.city\" }"
    let (faults, summary) = try await pair.run(drop)
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(try Self.values(pair, "ZCITY", "ZCITY1") == ["Kyoto|near"])
  }

  @Test("a script reads and writes a composite as a table")
  func scripted() async throws {
    let pair = try Pair(
      Self.before, Self.before.replacing("\"x\"", with: "\"x\" versionHashModifier=\"1\""),
      rows: Self.rows)
    try pair.write(
      """
      return {
        create = function(old, new)
          return new.A { x = old.home.city .. old.home.geo.lat,
            home = old.work, work = { city = old.home.geo.city, geo = { lat = 1 } } }
        end,
      }
      """, to: "a.lua")
    let (faults, summary) = try await pair.run(
      more: "stage \"transform\" { entity = \"A\", script = \"a.lua\" }")
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(
      try Self.values(pair, "ZX", "ZCITY", "ZLAT", "ZCITY2", "ZLAT1", "ZCITY3")
        == ["Kyoto35.5|Porto|NULL|near|1.0|NULL"])
  }

  @Test("a renamed composite in a composite keeps what it holds, although no hash shows it")
  func inner() async throws {
    let after = Self.before.replacing(
      "name=\"geo\"", with: "name=\"position\" elementID=\"geo\"")
    let pair = try Pair(
      Self.before, after + Pair.entity("B", nil, Pair.text("y")), rows: Self.rows)
    let (faults, summary) = try await pair.run()
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(try Self.values(pair, "ZCITY", "ZLAT", "ZCITY1") == ["Kyoto|35.5|near"])
  }

  @Test("one is dropped as a whole, and mapped or renamed by its parts alone")
  func whole() throws {
    let after = Self.parts + Pair.entity("A", nil, Self.holding("home"), Pair.text("x"))
    let pair = try Pair(Self.before, after, rows: Self.rows)
    #expect(try pair.plan("drop { \"A.work\" }").problems.isEmpty)
    #expect(try pair.plan("accept_loss = \"A.work\"").problems.isEmpty)
    let rules = [
      "rename { entity = \"A\", attributes = { work = \"home\" } }",
      "map { entity = \"A\", attributes = { x = from(\"work\") } }",
    ]
    for rule in rules {
      let problems = try pair.plan(rule).problems.map(\.message)
      #expect(
        problems.contains { $0.contains("work is a composite attribute; name its parts") },
        "\(problems)")
    }
  }

  @Test("dedupe merges objects that share a part, and fills in missing parts")
  func deduplicated() async throws {
    let more = """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZCITY, ZLAT, ZCITY1, ZCITY2, ZX)
      VALUES (2, 1, 1, 'Kyoto', NULL, 'far', 'Lima', NULL);
      """
    let pair = try Pair(
      Self.before, Self.before.replacing("\"x\"", with: "\"x\" versionHashModifier=\"1\""),
      rows: Self.rows + more)
    let (faults, summary) = try await pair.run(
      more: "stage \"dedupe\" { entity = \"A\", key = \"home.city\", keep = \"newest\" }")
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(
      try Self.values(pair, "Z_PK", "ZCITY", "ZLAT", "ZCITY1", "ZCITY2", "ZX")
        == ["2|Kyoto|35.5|far|Lima|one"])
  }

  @Test("redact takes one as a whole, with all that it holds")
  func redacted() async throws {
    let pair = try Pair(
      Self.before, Self.before.replacing("\"x\"", with: "\"x\" versionHashModifier=\"1\""),
      rows: Self.rows)
    let (faults, summary) = try await pair.run(
      more: "stage \"redact\" { empty = \"A.home\", mask = {} } "
        + "stage \"metadata\" { history = \"drop\" }")
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(
      try Self.values(pair, "ZCITY", "ZLAT", "ZCITY1", "ZCITY2", "ZX")
        == ["NULL|NULL|NULL|Porto|one"])
  }

  @Test("redact masks inherited texts, and parts in entities with a parent")
  func inherited() async throws {
    let before =
      Self.parts + Pair.entity("P", nil, Self.holding("home"))
      + Pair.entity("A", "P", Pair.text("x"))
    let pair = try Pair(
      before, before.replacing("\"x\"", with: "\"x\" versionHashModifier=\"1\""),
      rows: """
        INSERT INTO ZP (Z_PK, Z_ENT, Z_OPT, ZCITY, ZX) VALUES (1, 2, 1, 'Kyoto', 'one');
        """)
    let (faults, summary) = try await pair.run(
      more: "stage \"redact\" {} stage \"metadata\" { history = \"drop\" }")
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(try pair.rows("SELECT ZCITY, ZX FROM ZP") == ["Xxxxx|xxx"])
  }

  @Test("a version with composites and no recorded hashes cannot be a target")
  func unproved() throws {
    let pair = try Pair(
      Self.before, Self.before.replacing("\"x\"", with: "\"x\" versionHashModifier=\"1\""),
      rows: Self.rows, recordsHashes: false)
    let error = #expect(throws: Failure.self) { try pair.plan() }
    #expect(error?.kind == .unusable || error?.kind == .unusableModel)
    #expect(error?.why.contains("the version hash of A cannot be computed") == true)
    #expect(error?.remedy.contains("VersionInfo.plist") == true)
  }
}

@Suite("Attributes of Codable values in a migration", .temporaryFolder)
struct CodableConformanceTests {
  private typealias Pair = MadePair

  private static func body(_ type: String, _ more: String = "") -> String {
    Pair.entity(
      "A", nil, Pair.text("x") + more,
      "<attribute name=\"plan\" attributeType=\"\(type)\" optional=\"YES\"/>")
  }

  private static let rows =
    "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX, ZPLAN) VALUES (1, 1, 1, 'one', x'7B7D00');"

  @Test("redact empties them, and does not leave them readable")
  func redacted() async throws {
    let pair = try Pair(
      Self.body("Codable"), Self.body("Codable", Pair.text("y")), rows: Self.rows)
    let (faults, summary) = try await pair.run(
      more: "stage \"redact\" {} stage \"metadata\" { history = \"drop\" }")
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(try pair.rows("SELECT ZPLAN FROM ZA") == ["NULL"])
  }

  @Test("they come along as they are")
  func carried() async throws {
    let pair = try Pair(
      Self.body("Codable"), Self.body("Codable", Pair.text("y")), rows: Self.rows)
    let (faults, summary) = try await pair.run()
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(try pair.rows("SELECT hex(ZPLAN) FROM ZA") == ["7B7D00"])
  }

  @Test(
    "only Core Data changes their type",
    arguments: [
      ("Transformable", "Codable"), ("Binary", "Codable"), ("Codable", "Binary"),
      ("Codable", "String"),
    ])
  func converted(before: String, after: String) throws {
    let pair = try Pair(Self.body(before), Self.body(after), rows: Self.rows)
    let problems = try pair.plan().problems.map(\.message)
    #expect(problems.contains { $0.contains("it encodes the values again") }, "\(problems)")
  }
}
