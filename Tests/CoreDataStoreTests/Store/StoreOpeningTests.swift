import CoreDataStore
import SQLite
import TestSupport
import Testing

@Suite("Opening a store", .temporaryFolder) struct StoreOpeningTests {
  @Test("computed columns anywhere are refused before a check would compute them")
  func generatedElsewhere() throws {
    let path = try StoreSample.make { store in
      try store.execute(
        "CREATE TABLE trap (a, b AS (hex(zeroblob(400000000))) NOT NULL)")
    }
    #expect(StoreSample.error(opening: path)?.subject.contains("trap") == true)
  }

  @Test("expressions in constraints, defaults and indexes are not run")
  func expressions() throws {
    let path = try StoreSample.make { store in
      try store.execute(
        """
        PRAGMA ignore_check_constraints = ON;
        CREATE TABLE trap (a DEFAULT (hex(zeroblob(400000000))),
          CHECK (length(hex(zeroblob(400000000))) < a));
        INSERT INTO trap VALUES (1), (2), (3), (4), (5), (6), (7), (8)
        """)
    }
    #expect(StoreSample.error(opening: path) == nil)
  }
}
