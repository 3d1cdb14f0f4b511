import CoreDataStore
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreMigration

private typealias M = SchemaModels

@Suite("Objects that belong together", .temporaryFolder) struct FixtureChoiceTests {
  private static func mandatory(_ relationship: String) -> String {
    relationship.replacing("optional=\"YES\"", with: "")
  }

  private func choose(
    _ count: Int, _ model: String, _ fill: (StoreFixture) throws -> Void
  ) throws -> [String: [Int64]] {
    let schema = try M.schema(model)
    let path = samplePath("\(count).sqlite")
    try StoreFixture.make(at: path, schema: schema, fill)
    let connection = try Connection(path: path, mode: .foreign)
    defer { try? connection.close() }
    return try StoreFixture.Choice(count, of: schema, in: connection).chosen
      .mapValues { $0.keys.sorted() }
  }

  @Test("each entity takes its turn, and gives first what chosen objects lead to")
  func turns() throws {
    let model =
      M.entity("Folder", M.toMany("notes", "Note", inverse: "folder"))
      + M.entity("Note", M.toOne("folder", "Folder", inverse: "notes"))
    let chosen = try choose(6, model) { fixture in
      for _ in 0..<100 {
        let folder = try fixture.add("Folder")
        try fixture.add("Note", links: ["folder": [folder]])
      }
    }
    // The first folder leads to the first note; the second turn begins in the middle.
    #expect(chosen["ZFOLDER"]?.count == 3 && chosen["ZFOLDER"] == chosen["ZNOTE"])
    #expect(chosen["ZFOLDER"]?.last ?? 0 > 40)
  }

  @Test("what an object cannot be saved without comes along, however far that leads")
  func mandatory() throws {
    let model =
      M.entity("A", Self.mandatory(M.toOne("b", "B", inverse: "as")))
      + M.entity(
        "B", M.toMany("as", "A", inverse: "b"), Self.mandatory(M.toOne("c", "C")),
        Self.mandatory(M.toMany("ds", "D", inverse: "bs")).replacing(
          "toMany=\"YES\"", with: "toMany=\"YES\" minCount=\"3\""))
      + M.entity("C") + M.entity("D", M.toMany("bs", "B", inverse: "ds"))
    let chosen = try choose(1, model) { fixture in
      for _ in 0..<30 {
        let ds = try (0..<5).map { _ in try fixture.add("D") }
        let b = try fixture.add("B", links: ["c": [fixture.add("C")], "ds": ds])
        try fixture.add("A", links: ["b": [b]])
      }
    }
    #expect(chosen == ["ZA": [1], "ZB": [1], "ZC": [1], "ZD": [1, 2, 3]])
  }

  @Test("a chain of mandatory relationships that does not end is refused") func chain() throws {
    let model = M.entity("A", Self.mandatory(M.toOne("next", "A")))
    #expect(throws: Failure.self) {
      try choose(5, model) { fixture in
        for key in 1...12_000 {
          try fixture.add(
            "A", links: ["next": [ObjectID(entity: "A", key: Int64(key % 12_000 + 1))]])
        }
      }
    }
  }

  @Test("all objects are chosen when there are fewer than wanted, in gaps of keys as well")
  func all() throws {
    let chosen = try choose(50, M.entity("A")) { fixture in
      for key: Int64 in [1, 2, 3, 4, 500_000, 9_000_000] { try fixture.add("A", key: key) }
    }
    #expect(chosen == ["ZA": [1, 2, 3, 4, 500_000, 9_000_000]])
  }
}
