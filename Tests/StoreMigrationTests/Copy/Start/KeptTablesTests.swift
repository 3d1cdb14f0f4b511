import CoreDataStore
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Tables that stay as they are", .temporaryFolder)
struct KeptTablesTests {
  private func kept(
    _ sql: String = "", _ instruct: (inout MappingInstructions) -> Void = { _ in }
  ) throws -> KeptTables {
    let sample = try StartSample.sample(changing: sql, instruct)
    let source = try Connection(path: samplePath("source.sqlite"), mode: .foreign)
    defer { try? source.close() }
    return try KeptTables(from: sample.source, to: sample.target, sample.mapping, in: source)
  }

  @Test("what no rule changes stays, the pairs of both with it")
  func plain() throws {
    let kept = try kept()
    #expect(kept.objects.map(\.name) == ["ZA"])
    #expect(kept.joins.count == 1 && kept.obstacle == nil && !kept.isEmpty)
    #expect(kept.names == Set(["ZA"] + kept.joins.map(\.name)))
  }

  @Test("a table that other words made does not stay, whatever its columns")
  func words() throws {
    let kept = try kept("ALTER TABLE ZA RENAME TO x; ALTER TABLE x RENAME TO ZA;")
    #expect(kept.objects.isEmpty)
  }

  @Test("a table of which objects are left out does not stay")
  func condition() throws {
    let kept = try kept { instructions in
      instructions.filters.append(ObjectFilter(entity: "A", condition: "name IS NOT NULL"))
    }
    #expect(kept.objects.isEmpty)
  }

  @Test(
    "what cannot be taken out of a clone stands in its way",
    arguments: [
      ("CREATE VIRTUAL TABLE v USING rtree (a, b, c)", "virtual"),
      ("CREATE TABLE s (a INTEGER PRIMARY KEY AUTOINCREMENT)", "removed"),
      ("CREATE TABLE pipeline_progress (a)", "being built"),
    ])
  func obstacles(sql: String, word: String) throws {
    #expect(try kept(sql).obstacle?.contains(word) == true)
  }
}
