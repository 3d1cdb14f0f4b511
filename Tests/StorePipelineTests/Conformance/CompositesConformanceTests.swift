import CoreDataStore
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Composite attributes in a migration", .temporaryFolder)
struct CompositesConformanceTests {
  private typealias Pair = MadePair

  private static let composites = """
    <composite name="Geo"><attribute name="lat" attributeType="Double" optional="YES"/>
    <attribute name="city" attributeType="String" optional="YES"/></composite>
    <composite name="Address"><attribute name="city" attributeType="String" optional="YES"/>
    <attribute name="geo" attributeType="Composite" composite="Geo"/></composite>
    """

  private static func address(_ name: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" attributeType=\"Composite\" composite=\"Address\" \(more)/>"
  }

  /// An entity with two addresses; the columns are those of home, then those of work.
  private static let before =
    composites + Pair.entity("A", nil, address("home"), address("work"), Pair.text("x"))
  /// The same attributes in another version.
  private static let same = before.replacing("\"x\"", with: "\"x\" versionHashModifier=\"1\"")
  /// The home is renamed, an address is new, and so is a default for cities.
  private static let renamed =
    composites.replacing(
      "<attribute name=\"city\" attributeType=\"String\" optional=\"YES\"/>",
      with: "<attribute name=\"city\" attributeType=\"String\" defaultValueString=\"Here\"/>")
    + Pair.entity(
      "A", nil, address("house", "elementID=\"home\""), address("work"), address("other"),
      Pair.text("x"))
  /// Work is removed.
  private static let removed = composites + Pair.entity("A", nil, address("home"), Pair.text("x"))

  private static let rows = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZCITY, ZLAT, ZCITY1, ZCITY2, ZX)
    VALUES (1, 1, 1, 'Kyoto', 35.5, 'near', 'Porto', 'one');
    """

  private static func pair(to after: String, adding more: String = "") throws -> Pair {
    try Pair(before, after, rows: rows + more)
  }

  @Test("values come along, also where two parts have the same name")
  func carried() async throws {
    let found = try await Self.pair(to: Self.same).migrate(
      reading: "SELECT ZCITY, ZLAT, ZCITY1, ZCITY2, ZX FROM ZA")
    #expect(found.rows == ["Kyoto|35.5|near|Porto|one"])
  }

  @Test("the run warns that support for them was built from documentation, and names them")
  func warned() async throws {
    let found = try await Self.pair(to: Self.same).migrate(reading: "SELECT Z_PK FROM ZA")
    #expect(found.warnings.contains { $0.contains("composite attributes (A.home, A.work)") })
  }

  @Test("a renamed composite keeps its values") func keepsRenamed() async throws {
    let found = try await Self.pair(to: Self.renamed).migrate(
      reading: "SELECT ZCITY, ZLAT, ZCITY1, ZCITY4 FROM ZA")
    #expect(found.rows == ["Kyoto|35.5|near|Porto"])
  }

  @Test("a new composite gets the defaults of its parts") func new() async throws {
    let found = try await Self.pair(to: Self.renamed).migrate(reading: "SELECT ZCITY2 FROM ZA")
    #expect(found.rows == ["Here"])
  }

  @Test("a renamed composite in a composite keeps its values, although no hash shows the renaming")
  func inner() async throws {
    let after = Self.before.replacing("name=\"geo\"", with: "name=\"position\" elementID=\"geo\"")
    let found = try await Self.pair(to: after + Pair.entity("B", nil, Pair.text("y"))).migrate(
      reading: "SELECT ZCITY, ZLAT, ZCITY1 FROM ZA")
    #expect(found.rows == ["Kyoto|35.5|near"])
  }

  @Test("of a removed composite, the parts that have values are losses")
  func losses() throws {
    let problems = try Self.pair(to: Self.removed).plan().problems.map(\.message)
    #expect(problems.contains { $0.contains("A.work.city") }, "\(problems)")
    #expect(!problems.contains { $0.contains("A.work.geo") }, "\(problems)")
  }

  @Test(
    "the losses of a removed composite are accepted one by one, or all by its name",
    arguments: [
      "drop { \"A.work.city\", \"A.work.geo.lat\", \"A.work.geo.city\" }", "drop { \"A.work\" }",
      "accept_loss = \"A.work\"",
    ])
  func accepted(rules: String) async throws {
    let found = try await Self.pair(to: Self.removed).migrate(
      rules, reading: "SELECT ZCITY, ZCITY1 FROM ZA")
    #expect(found.rows == ["Kyoto|near"])
  }

  @Test(
    "only the parts of a composite can be renamed or mapped",
    arguments: [
      "rename { entity = \"A\", attributes = { work = \"home\" } }",
      "map { entity = \"A\", attributes = { x = from(\"work\") } }",
    ])
  func whole(rules: String) throws {
    let problems = try Self.pair(to: Self.removed).plan(rules).problems.map(\.message)
    #expect(
      problems.contains { $0.contains("work is a composite attribute; name its parts") },
      "\(problems)")
  }

  @Test("a script reads and writes a composite as a table") func scripted() async throws {
    let pair = try Self.pair(to: Self.same)
    try pair.write(
      """
      return {
        create = function(old, new)
          return new.A { x = old.home.city .. old.home.geo.lat,
            home = old.work, work = { city = old.home.geo.city, geo = { lat = 1 } } }
        end,
      }
      """, to: "a.lua")
    let found = try await pair.migrate(
      stages: "stage \"transform\" { entity = \"A\", script = \"a.lua\" }",
      reading: "SELECT ZX, ZCITY, ZLAT, ZCITY2, ZLAT1, ZCITY3 FROM ZA")
    #expect(found.rows == ["Kyoto35.5|Porto|NULL|near|1.0|NULL"])
  }

  @Test("a script reads and writes the composites of every object")
  func scriptedTwice() async throws {
    let more = "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZCITY) VALUES (2, 1, 1, 'Lima');"
    let pair = try Self.pair(to: Self.same, adding: more)
    try pair.write(
      """
      return {
        create = function(old, new)
          return new.A { home = { city = old.work.city }, work = { city = old.home.city } }
        end,
      }
      """, to: "a.lua")
    let found = try await pair.migrate(
      stages: "stage \"transform\" { entity = \"A\", script = \"a.lua\" }",
      reading: "SELECT ZCITY, ZCITY2 FROM ZA ORDER BY Z_PK")
    #expect(found.rows == ["Porto|Kyoto", "NULL|Lima"])
  }

  @Test("dedupe merges objects that share a part, and fills in missing parts")
  func deduplicated() async throws {
    let more = """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZCITY, ZLAT, ZCITY1, ZCITY2, ZX)
      VALUES (2, 1, 1, 'Kyoto', NULL, 'far', 'Lima', NULL);
      """
    let found = try await Self.pair(to: Self.same, adding: more).migrate(
      stages: "stage \"dedupe\" { entity = \"A\", key = \"home.city\", keep = \"newest\" }",
      reading: "SELECT Z_PK, ZCITY, ZLAT, ZCITY1, ZCITY2, ZX FROM ZA")
    #expect(found.rows == ["2|Kyoto|35.5|far|Lima|one"])
  }

  @Test("redact empties every part of a composite that it is given")
  func redacted() async throws {
    let found = try await Self.pair(to: Self.same).migrate(
      stages: "stage \"redact\" { empty = \"A.home\", mask = {} } "
        + "stage \"metadata\" { history = \"drop\" }",
      reading: "SELECT ZCITY, ZLAT, ZCITY1, ZCITY2, ZX FROM ZA")
    #expect(found.rows == ["NULL|NULL|NULL|Porto|one"])
  }

  @Test("redact masks the texts of entities with a parent, parts included")
  func inherited() async throws {
    let before =
      Self.composites + Pair.entity("P", nil, Self.address("home"))
      + Pair.entity("A", "P", Pair.text("x"))
    let pair = try Pair(
      before, before.replacing("\"x\"", with: "\"x\" versionHashModifier=\"1\""),
      rows: "INSERT INTO ZP (Z_PK, Z_ENT, Z_OPT, ZCITY, ZX) VALUES (1, 2, 1, 'Kyoto', 'one');")
    let found = try await pair.migrate(
      stages: "stage \"redact\" {} stage \"metadata\" { history = \"drop\" }",
      reading: "SELECT ZCITY, ZX FROM ZP")
    #expect(found.rows == ["Xxxxx|xxx"])
  }

  @Test("a version with composites and without recorded hashes cannot be a target")
  func unproved() throws {
    let pair = try Pair(Self.before, Self.same, rows: Self.rows, recordsHashes: false)
    let error = #expect(throws: Failure.self) { try pair.plan() }
    #expect(error?.kind == .unusable || error?.kind == .unusableModel)
    #expect(error?.why.contains("the version hash of A cannot be computed") == true)
    #expect(error?.remedy.contains("VersionInfo.plist") == true)
  }
}

@Suite("Attributes of Codable values in a migration", .temporaryFolder)
struct CodableConformanceTests {
  private typealias Pair = MadePair

  /// A store with one value, and a version that has an attribute more.
  private static func pair(
    from type: String = "Codable", to next: String = "Codable"
  ) throws -> Pair {
    func body(_ type: String, _ more: String = "") -> String {
      Pair.entity(
        "A", nil, Pair.text("x") + more,
        "<attribute name=\"plan\" attributeType=\"\(type)\" optional=\"YES\"/>")
    }
    return try Pair(
      body(type), body(next, Pair.text("y")),
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX, ZPLAN) VALUES (1, 1, 1, 'one', x'7B7D00');")
  }

  @Test("values come along byte by byte") func carried() async throws {
    let found = try await Self.pair().migrate(reading: "SELECT hex(ZPLAN) FROM ZA")
    #expect(found.rows == ["7B7D00"])
  }

  @Test("redact empties them: masked bytes could still be read") func redacted() async throws {
    let found = try await Self.pair().migrate(
      stages: "stage \"redact\" {} stage \"metadata\" { history = \"drop\" }",
      reading: "SELECT ZPLAN FROM ZA")
    #expect(found.rows == ["NULL"])
  }

  @Test(
    "only Core Data changes their type",
    arguments: [
      ("Transformable", "Codable"), ("Binary", "Codable"), ("Codable", "Binary"),
      ("Codable", "String"),
    ])
  func converted(before: String, after: String) throws {
    let problems = try Self.pair(from: before, to: after).plan().problems.map(\.message)
    #expect(problems.contains { $0.contains("it encodes the values again") }, "\(problems)")
  }
}

extension MadePair {
  /// Migrates the store, expects the new one to be in place without a fault, and reads rows of it.
  fileprivate func migrate(
    _ rules: String = "", stages: String = "", reading sql: String
  ) async throws -> (rows: [String], warnings: [String]) {
    let (faults, summary) = try await run(rules, more: stages)
    #expect(faults == [] && summary.outcome == .swapped)
    return (try rows(sql), summary.warnings)
  }
}
