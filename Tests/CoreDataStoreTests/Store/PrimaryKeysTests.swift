import CoreDataStore
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Z_PRIMARYKEY", .temporaryFolder) struct PrimaryKeysTests {
  /// What Z_PRIMARYKEY says when it has these rows.
  private func keys(_ rows: String) throws -> PrimaryKeys {
    let path = try StoreSample.make {
      try $0.execute("DELETE FROM Z_PRIMARYKEY; INSERT INTO Z_PRIMARYKEY VALUES \(rows)")
    }
    return try Store(path).primaryKeys()
  }

  @Test("rows are found by name and by number, those of Core Data's own by number alone")
  func rows() throws {
    let keys = try keys("(2, 'B', 1, 0), (1, 'A', NULL, 7), (16001, 'CHANGE', 0, NULL)")
    #expect(keys.entries.map(\.number) == [1, 2, 16001])
    #expect(keys.entry(named: "A")?.maximum == 7 && keys.entry(named: "A")?.parent == 0)
    #expect(keys.entry(number: 2)?.parent == 1)
    #expect(keys.entry(number: 16001)?.maximum == 0)
    #expect(keys.entry(named: "CHANGE") == nil && keys.entry(number: 3) == nil)
  }

  @Test(
    "rows that are not made of numbers from 1 on and a name are damage",
    arguments: [
      ("(0, 'A', 0, 0)", "below 1"), ("(-9223372036854775808, 'A', 0, 0)", "below 1"),
      ("(1, NULL, 0, 0)", "numbers and a name"), ("(1, 'A', 'x', 0)", "numbers and a name"),
      ("(1, 'A', 0, 0.5)", "numbers and a name"), ("(1, x'41', 0, 0)", "numbers and a name"),
    ])
  func damage(rows: String, why: String) {
    let error = #expect(throws: Failure.self) { try keys(rows) }
    #expect(error?.why.contains(why) == true && error?.kind == .unusable)
  }

  @Test("two entities of one number are damage, where the table allows them")
  func twice() throws {
    let path = try StoreSample.make {
      try $0.execute(
        """
        DROP TABLE Z_PRIMARYKEY; CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'A', 0, 0), (1, 'B', 0, 0)
        """)
    }
    #expect(StoreSample.error(opening: path)?.why == "Two entities have the same number.")
  }

  @Test("a column that is missing is named")
  func missingColumn() throws {
    let path = try StoreSample.make {
      try $0.execute("ALTER TABLE Z_PRIMARYKEY DROP COLUMN Z_MAX")
    }
    #expect(StoreSample.error(opening: path)?.why == "It has no column Z_MAX.")
  }
}
