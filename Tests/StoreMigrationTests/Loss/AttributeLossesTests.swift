import CoreDataStore
import StoreMigration
import TestSupport
import Testing

@Suite("What happened to attributes", .temporaryFolder)
struct AttributeLossesTests {
  private static let rows = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b')
    """
  private static let twice =
    LossSample.attribute("u", "String") + LossSample.attribute("v", "String")

  /// One attribute that becomes two, and something done to the result.
  private func lines(_ change: String) throws -> [String] {
    try LossSample.entity(
      LossSample.attribute("t", "String"), Self.twice, rows: Self.rows, change: change
    ) { $0.maps = [EntityMap(entity: "A", attributes: ["u": .from("t"), "v": .from("t")])] }.lines
  }

  @Test("a value that is at one of its places has arrived") func places() throws {
    #expect(try lines("") == ["A.t moved to A.u, A.v 2, 2 arrived"])
    #expect(try lines("UPDATE ZA SET ZU = NULL") == ["A.t moved to A.u, A.v 2, 2 arrived"])
    #expect(
      try lines("UPDATE ZA SET ZU = NULL, ZV = NULL WHERE Z_PK = 1")
        == ["A.t moved to A.u, A.v 2, 1 arrived, 1 emptied"])
  }

  @Test("there may be more attributes than one statement has columns") func many() throws {
    let names = (0..<600).map { "a\($0)" }
    let attributes = names.map { LossSample.attribute($0, "String") }.joined()
    let columns = names.map { "Z\($0.uppercased())" }.joined(separator: ", ")
    let values = names.map { "'\($0)'" }.joined(separator: ", ")
    let losses = try LossSample.entity(
      attributes, attributes,
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, \(columns)) VALUES (1, 1, 1, \(values))",
      change: "UPDATE ZA SET ZA7 = NULL, ZA599 = 'b'"
    ).losses
    #expect(losses.count == 600)
    #expect(losses.filter { $0.arrived == 1 }.count == 598)
    #expect(losses.first { $0.property == "a7" }?.emptied == 1)
    #expect(losses.first { $0.property == "a599" }?.changed == 1)
  }

  @Test("entities of one table are counted each for itself") func hierarchy() throws {
    let model = """
      <entity name="A">\(LossSample.attribute("t", "String"))</entity>
      <entity name="B" parentEntity="A">\(LossSample.attribute("u", "String"))</entity>
      """
    let sample = try LossSample(
      model, model,
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT, ZU) VALUES (1, 1, 1, 'a', NULL),
          (2, 2, 1, 'b', 'x'), (3, 2, 1, NULL, 'y')
        """, change: "DELETE FROM ZA WHERE Z_PK = 3")
    #expect(
      try sample.lines == [
        "A.t kept 1, 1 arrived", "B.t kept 1, 1 arrived", "B.u kept 2, 1 arrived, 1 gone",
      ])
  }
}
