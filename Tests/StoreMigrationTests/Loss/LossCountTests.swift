import CoreDataStore
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Counting what was lost", .temporaryFolder)
struct LossCountTests {
  private static let text = LossSample.attribute("t", "String")
  private static let rows = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 1, 1, NULL),
      (4, 1, 1, '')
    """

  @Test("what arrives is found, and no value is no loss") func whole() throws {
    let sample = try LossSample.entity(Self.text, Self.text, rows: Self.rows)
    #expect(try sample.lines == ["A.t kept 3, 3 arrived"])
    #expect(try sample.losses.allSatisfy { $0.lost == 0 })
  }

  static let faults: [(change: String, line: String)] = [
    ("UPDATE ZA SET ZT = NULL WHERE Z_PK = 1", "A.t kept 3, 2 arrived, 1 emptied"),
    ("UPDATE ZA SET ZT = 'A' WHERE Z_PK = 1", "A.t kept 3, 2 arrived, 1 changed"),
    ("UPDATE ZA SET ZT = x'61' WHERE Z_PK = 1", "A.t kept 3, 2 arrived, 1 changed"),
    ("DELETE FROM ZA WHERE Z_PK < 3", "A.t kept 3, 1 arrived, 2 gone"),
    ("UPDATE ZA SET Z_PK = 9 WHERE Z_PK = 4", "A.t kept 3, 2 arrived, 1 gone"),
    ("UPDATE ZA SET Z_ENT = 7 WHERE Z_PK = 4", "A.t kept 3, 2 arrived, 1 gone"),
  ]

  @Test("each planted loss is counted as what it is, whatever the plan says", arguments: faults)
  func planted(change: String, line: String) throws {
    let sample = try LossSample.entity(Self.text, Self.text, rows: Self.rows, change: change)
    #expect(try sample.lines == [line])
    #expect(try sample.losses.map { $0.values - $0.arrived == $0.lost } == [true])
  }

  @Test("one value that differs is found among attributes that all arrive") func several() throws {
    let both = Self.text + LossSample.attribute("u", "String")
    let rows = Self.rows + "; UPDATE ZA SET ZU = ZT"
    let whole = try LossSample.entity(both, both, rows: rows)
    #expect(try whole.lines == ["A.t kept 3, 3 arrived", "A.u kept 3, 3 arrived"])
    let sample = try LossSample.entity(
      both, both, rows: rows, change: "UPDATE ZA SET ZU = 'c' WHERE Z_PK = 2")
    #expect(try sample.lines == ["A.t kept 3, 3 arrived", "A.u kept 3, 2 arrived, 1 changed"])
  }

  @Test("what the new model has no place for is dropped, value by value") func dropped() throws {
    let sample = try LossSample.entity(
      Self.text + LossSample.attribute("u", "String"), LossSample.attribute("u", "String"),
      rows: Self.rows
    ) { $0.drops = [NamedInstruction("A.t")] }
    #expect(try sample.lines == ["A.t dropped 3, 0 arrived", "A.u kept 0, 0 arrived"])
    #expect(try sample.losses.map(\.lost) == [3, 0])
  }

  @Test("an entity that ends takes all of its values with it") func entity() throws {
    let other = "<entity name=\"B\">\(LossSample.attribute("n", "String"))</entity>"
    let sample = try LossSample(
      "<entity name=\"A\">\(Self.text)</entity>" + other, other, rows: Self.rows
    ) { $0.drops = [NamedInstruction("A")] }
    #expect(try sample.lines == ["A.t dropped 3, 0 arrived", "B.n kept 0, 0 arrived"])
  }

  @Test("objects that a condition leaves out take their values with them") func condition() throws {
    let sample = try LossSample.entity(Self.text, Self.text, rows: Self.rows) {
      $0.filters = [ObjectFilter(entity: "A", condition: "t != 'a'")]
    }
    #expect(try sample.lines == ["A.t kept 3, 2 arrived, 1 gone"])
  }

  @Test("a count that somebody stops ends with what stopped it") func stopped() throws {
    let sample = try CopySample.entity(Self.text, Self.text, rows: Self.rows)
    let builder = try sample.builder()
    try CopySample.copyAll(builder)
    try builder.close()
    let count = try LossCount(
      of: VerifiedStore(path: sample.sourcePath, schema: sample.source, externalFolders: []),
      in: VerifiedStore(path: sample.path, schema: sample.target, externalFolders: []),
      [sample.mapping], associations: nil)
    #expect(throws: CancellationError.self) { try count.run { _ in throw CancellationError() } }
  }

  @Test("a store that is not there is named") func missing() throws {
    let sample = try CopySample.entity(Self.text, Self.text, rows: Self.rows)
    let error = #expect(throws: Failure.self) {
      try LossCount(
        of: VerifiedStore(path: sample.sourcePath, schema: sample.source, externalFolders: []),
        in: VerifiedStore(path: sample.path, schema: sample.target, externalFolders: []),
        [sample.mapping], associations: nil)
    }
    #expect(error?.what == "cannot count what was lost")
    #expect(error?.subject == sample.path)
  }
}
