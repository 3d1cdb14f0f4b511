import CoreDataStore
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("What happened to links", .temporaryFolder)
struct LinkLossesTests {
  private static func relationship(
    _ name: String, _ destination: String, _ inverse: String, many: Bool
  ) -> String {
    "<relationship name=\"\(name)\" optional=\"YES\" \(many ? "toMany=\"YES\"" : "maxCount=\"1\"") "
      + "destinationEntity=\"\(destination)\" inverseName=\"\(inverse)\" "
      + "inverseEntity=\"\(destination)\"/>"
  }

  private static func model(_ forward: Bool, _ backward: Bool) -> String {
    "<entity name=\"A\">\(LossSample.attribute("n", "String"))"
      + "\(relationship("bs", "B", "as", many: forward))</entity>"
      + "<entity name=\"B\">\(LossSample.attribute("n", "String"))"
      + "\(relationship("as", "A", "bs", many: backward))</entity>"
  }

  /// A has one B, and one of the links leads nowhere.
  private static let toOne = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN, ZBS) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 1),
      (3, 1, 1, NULL, 2), (4, 1, 1, NULL, 99), (5, 1, 1, NULL, NULL);
    INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 2, 1, 'x'), (2, 2, 1, NULL)
    """
  private static let pairs = """
    INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
    INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
    INSERT INTO Z_1BS (Z_1AS, Z_2BS) VALUES (1, 1), (1, 2), (2, 2)
    """

  private func links(_ sample: LossSample) throws -> [String] {
    try sample.losses.filter(\.isRelationship).map {
      LossSample.line($0) + ($0.isCountedHere ? "" : ", there")
    }
  }

  @Test("links that lead where they led arrive, and those that led nowhere are no loss")
  func whole() throws {
    let model = Self.model(false, true)
    let sample = try LossSample(model, model, rows: Self.toOne)
    #expect(
      try links(sample) == [
        "A.bs kept 3, 3 arrived, 1 dangling", "B.as kept 3, 3 arrived, 1 dangling, there",
      ])
  }

  static let faults: [(change: String, line: String)] = [
    ("UPDATE ZA SET ZBS = 2 WHERE Z_PK = 1", "A.bs kept 3, 2 arrived, 1 emptied, 1 dangling"),
    ("UPDATE ZA SET ZBS = NULL WHERE Z_PK < 3", "A.bs kept 3, 1 arrived, 2 emptied, 1 dangling"),
    ("DELETE FROM ZA WHERE Z_PK = 1", "A.bs kept 3, 2 arrived, 1 gone, 1 dangling"),
  ]

  @Test("each planted loss is counted as what it is", arguments: faults)
  func planted(change: String, line: String) throws {
    let model = Self.model(false, true)
    let sample = try LossSample(model, model, rows: Self.toOne, change: change)
    #expect(try links(sample)[0] == line)
  }

  @Test("links to objects that were left out are gone with them") func leftOut() throws {
    let model = Self.model(false, true)
    let sample = try LossSample(model, model, rows: Self.toOne) {
      $0.filters = [ObjectFilter(entity: "B", condition: "n != nil")]
    }
    #expect(try links(sample)[0] == "A.bs kept 3, 2 arrived, 1 gone, 1 dangling")
  }

  @Test("of many that become one, the others are narrowed away") func narrowed() throws {
    let sample = try LossSample(Self.model(true, true), Self.model(false, true), rows: Self.pairs) {
      $0.choices = [LinkChoice("A.bs", keep: .first)]
    }
    #expect(
      try links(sample) == [
        "A.bs kept 3, 2 arrived, 1 emptied", "B.as kept 3, 2 arrived, 1 emptied, there",
      ])
  }

  @Test("links that move to a table of pairs are found there") func join() throws {
    let sample = try LossSample(
      Self.model(false, true), Self.model(true, true),
      rows: Self.toOne.replacing("(4, 1, 1, NULL, 99)", with: "(4, 1, 1, NULL, NULL)"))
    #expect(try links(sample).map { $0.hasPrefix("A.bs kept 3, 3 arrived") } == [true, false])
  }

  @Test("where keys are given again, links are followed through what was noted") func noted() throws
  {
    let before = """
      <entity name="C">\(LossSample.attribute("n", "String"))
      \(Self.relationship("b", "B", "cs", many: false))</entity>
      <entity name="D">\(LossSample.attribute("n", "String"))</entity>
      <entity name="B">\(LossSample.attribute("n", "String"))
      \(Self.relationship("cs", "C", "b", many: true))</entity>
      """
    let after = """
      <entity name="P" isAbstract="YES">\(LossSample.attribute("n", "String"))</entity>
      <entity name="C" parentEntity="P">\(Self.relationship("b", "B", "cs", many: false))</entity>
      <entity name="D" parentEntity="P"/>
      <entity name="B">\(LossSample.attribute("n", "String"))
      \(Self.relationship("cs", "C", "b", many: true))</entity>
      """
    let rows = """
      INSERT INTO ZD (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 3, 1, 'd'), (2, 3, 1, 'e');
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
      INSERT INTO ZC (Z_PK, Z_ENT, Z_OPT, ZN, ZB) VALUES (1, 2, 1, 'c', 2), (2, 2, 1, 'f', 1)
      """
    let sample = try LossSample(before, after, rows: rows)
    #expect(
      try sample.lines == [
        "B.n kept 0, 0 arrived", "B.cs kept 2, 2 arrived", "C.n kept 2, 2 arrived",
        "C.b kept 2, 2 arrived", "D.n kept 2, 2 arrived",
      ])
  }
}
