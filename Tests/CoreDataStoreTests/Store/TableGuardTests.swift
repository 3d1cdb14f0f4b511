import CoreDataStore
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Tables that may be read", .temporaryFolder) struct TableGuardTests {
  @Test(
    "a view or a virtual table in a table's place is refused, not run",
    arguments: ["ZPERSON", "Z_PRIMARYKEY", "Z_MODELCACHE"])
  func view(name: String) throws {
    let path = try StoreSample.make { store in
      try store.execute(
        """
        DROP TABLE IF EXISTS \(name);
        CREATE VIEW \(name) AS WITH RECURSIVE n(Z_PK) AS (SELECT 1 UNION ALL SELECT Z_PK + 1 FROM n)
        SELECT Z_PK, Z_PK AS Z_ENT, Z_PK AS Z_NAME, 0 AS Z_SUPER, 0 AS Z_MAX, 0 AS Z_CONTENT FROM n
        """)
    }
    let error = StoreSample.error(opening: path)
    #expect(error?.kind == .unusable)
    #expect(error?.why.contains("view") == true)
  }

  @Test(
    "computed columns in a table of objects are refused",
    arguments: ["VIRTUAL", "STORED"])
  func generated(kind: String) throws {
    let path = try StoreSample.make { store in
      try store.execute(
        """
        DROP TABLE ZPERSON;
        CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZNAME VARCHAR AS (hex(zeroblob(Z_OPT))) \(kind), ZPICTURE BLOB)
        """)
    }
    #expect(StoreSample.error(opening: path)?.why.contains("computed") == true)
  }

  @Test("a virtual table is refused")
  func virtualTable() throws {
    let path = try StoreSample.make { store in
      try store.execute("DROP TABLE ZPERSON; CREATE VIRTUAL TABLE ZPERSON USING rtree(a, b, c)")
    }
    #expect(StoreSample.error(opening: path)?.why.contains("virtual table") == true)
  }
}
