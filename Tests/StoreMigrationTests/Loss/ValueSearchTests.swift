import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Values that are stored otherwise", .temporaryFolder)
struct ValueSearchTests {
  static let conversions: [(from: String, to: String, values: String, line: String)] = [
    ("Integer 32", "String", "7, -1, 0", "A.v kept 3, 3 arrived"),
    ("Integer 16", "Double", "7, -1, 0", "A.v kept 3, 3 arrived"),
    // 2^53 + 1 is no double: the nearest is another number.
    ("Integer 64", "Double", "9007199254740993, 2, 3", "A.v kept 3, 2 arrived, 1 changed"),
    ("Double", "Float", "0.5, 0.1, 1", "A.v kept 3, 2 arrived, 1 changed"),
    ("Date", "Integer 64", "7e8, 700000000.5, 0", "A.v kept 3, 2 arrived, 1 changed"),
    ("Date", "String", "7e8, 700000000.125, 700000000.0001", "A.v kept 3, 2 arrived, 1 changed"),
    ("String", "Integer 32", "'7', '08', '9'", "A.v kept 3, 3 arrived"),
  ]

  @Test("a conversion loses what the way back does not bring", arguments: conversions)
  func converted(from: String, to: String, values: String, line: String) throws {
    let rows = values.split(separator: ", ").enumerated()
      .map { "(\($0.offset + 1), 1, 1, \($0.element))" }.joined(separator: ", ")
    let sample = try LossSample.entity(
      LossSample.attribute("v", from), LossSample.attribute("v", to),
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZV) VALUES \(rows)"
    ) { instructions in
      let type = AttributeType(name: to)
      instructions.maps = [EntityMap(entity: "A", attributes: ["v": .convert("v", to: type)])]
    }
    #expect(try sample.lines == [line])
  }

  private static let data = LossSample.attribute("d", "Binary")
  private static let external = LossSample.attribute(
    "d", "Binary", "allowsExternalBinaryDataStorage=\"YES\"")

  @Test("data that comes to lie elsewhere is the same data") func data() throws {
    let sample = try LossSample.entity(
      Self.data, Self.external,
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZD) VALUES (1, 1, 1, x'aa'), (2, 1, 1, x'bb')")
    #expect(try sample.lines == ["A.d kept 2, 2 arrived"])
    let changed = try LossSample.entity(
      Self.data, Self.external, rows: "", change: "UPDATE ZA SET ZD = x'01cc' WHERE Z_PK = 2")
    #expect(try changed.lines == ["A.d kept 2, 1 arrived, 1 changed"])
  }

  @Test("what is computed from now on is derived, and what differs is reported")
  func derived() throws {
    let tree = """
      <relationship name="parent" optional="YES" maxCount="1" destinationEntity="A" \
      inverseName="children" inverseEntity="A"/>
      <relationship name="children" optional="YES" toMany="YES" destinationEntity="A" \
      inverseName="parent" inverseEntity="A"/>
      """
    let sample = try LossSample.entity(
      tree + LossSample.attribute("size", "Integer 64"),
      tree
        + LossSample.attribute(
          "size", "Integer 64", "derived=\"YES\" derivationExpression=\"children.@count\""),
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZSIZE, ZPARENT) VALUES (1, 1, 1, 1, NULL),
          (2, 1, 1, 5, 1)
        """)
    let line = try sample.lines.first
    #expect(line == "A.size derived to A.size 2, 1 arrived, 1 changed")
    #expect(try sample.losses.first?.lost == 0)
  }

  @Test("what has another name is moved, and found there") func moved() throws {
    let sample = try LossSample.entity(
      LossSample.attribute("t", "String"), LossSample.attribute("title", "String"),
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT) VALUES (1, 1, 1, 'a')"
    ) { $0.renames = [EntityRename(entity: "A", properties: ["t": "title"])] }
    #expect(try sample.lines == ["A.t moved to A.title 1, 1 arrived"])
  }
}
