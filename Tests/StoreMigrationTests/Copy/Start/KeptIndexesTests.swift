import SQLite
@testable import StoreMigration
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Indexes that stay although their tables are made again", .temporaryFolder)
struct KeptIndexesTests {
  /// The new store, begun as a clone, with all objects.
  private func copied(
    _ sql: String = "", _ instruct: (inout MappingInstructions) -> Void = { _ in }
  ) throws -> StoreBuilder {
    let builder = try StartSample.sample(changing: sql, instruct).builder(start: .clone)
    for object in builder.mapping.objects {
      let copy = try builder.copy(of: object)
      while try copy.chunk() {}
    }
    return builder
  }

  private func tables(_ connection: Connection) throws -> [String] {
    try connection.rows("SELECT tbl_name FROM main.sqlite_master WHERE name = 'Z_B_byN'")
      .compactMap { $0[0].string }
  }

  private func giveBack(
    _ builder: StoreBuilder, damaged: [String] = []
  ) throws -> [String] {
    let found = try builder.connection.transaction {
      try KeptIndexes(builder).giveBack()
    }
    #expect(found == damaged)
    let schema = try Schema(of: builder.connection)
    #expect(!schema.objects.contains { $0.table.hasPrefix(KeptIndexes.prefix) })
    #expect(try builder.connection.problems(.full).isEmpty)
    return try tables(builder.connection)
  }

  @Test("they belong to an empty table meanwhile, and go back with their entries")
  func kept() throws {
    let builder = try copied()
    #expect(try tables(builder.connection) == ["pipeline_indexed_ZB"])
    #expect(try giveBack(builder) == ["ZB"])
    let plan = try builder.connection.rows(
      "EXPLAIN QUERY PLAN SELECT Z_PK FROM main.ZB WHERE ZN = 3")
    #expect(plan.first?.last?.string?.contains("Z_B_byN") == true)
    #expect(try builder.connection.integer("SELECT Z_PK FROM main.ZB WHERE ZN = 3") == 3)
  }

  @Test(
    "they go when a row is missing, is too many, or has another value",
    arguments: [
      "DELETE FROM main.ZB WHERE Z_PK = 2", "UPDATE main.ZB SET ZN = 7 WHERE Z_PK = 3",
      "INSERT INTO main.ZB (Z_PK, Z_ENT) VALUES (9, 2)", "UPDATE main.ZB SET Z_PK = 8 WHERE ZN = 1",
    ])
  func changed(sql: String) throws {
    let builder = try copied()
    try builder.connection.execute(sql)
    #expect(try giveBack(builder).isEmpty)
  }

  @Test(
    "those that other words made do not stay, nor those of a table that other words made",
    arguments: [
      "DROP INDEX Z_B_byN; CREATE INDEX Z_B_byN ON ZB (ZN)",
      "DROP INDEX Z_B_byN; CREATE INDEX Z_B_byN ON ZA (ZNAME)",
      "ALTER TABLE ZB RENAME TO x; ALTER TABLE x RENAME TO ZB",
    ])
  func words(sql: String) throws {
    #expect(try tables(copied(sql).connection).isEmpty)
  }

  @Test("those of objects that are left out, or get other keys, do not stay")
  func conditions() throws {
    let builder = try copied { instructions in
      instructions.filters.append(ObjectFilter(entity: "B", condition: "n <> 1"))
    }
    #expect(try tables(builder.connection).isEmpty)
  }

  @Test(
    "one that does not hold the source's rows goes as well, and is reported",
    arguments: [
      ("SELECT Z_PK, ZN FROM ZB UNION ALL SELECT 9, 7", nil),
      ("SELECT Z_PK, ZN FROM ZB WHERE Z_PK > 1", nil), ("SELECT Z_PK + 5, ZN FROM ZB", nil),
      ("SELECT Z_PK, ZN + 1 FROM ZB", nil), ("SELECT Z_PK, ZN FROM ZB", "ZN DESC"),
    ])
  func damaged(rows: String, list: String?) throws {
    let sample = try StartSample.sample()
    let index = try #require(sample.source.indexes.first { $0.name == "Z_B_byN" })
    try StartSample.plant(index, rows: rows, as: list)
    let builder = try sample.builder(start: .clone)
    for object in builder.mapping.objects {
      let copy = try builder.copy(of: object)
      while try copy.chunk() {}
    }
    #expect(try giveBack(builder, damaged: ["Z_B_byN"]).isEmpty)
  }
}
