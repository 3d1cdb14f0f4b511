import CoreDataStore
import Foundation
import SQLite
import StoreTestSupport
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

  @Test(
    "a store in WAL mode that nobody writes is read where it is, when copying it would take long")
  func inPlace() throws {
    let path = try StoreSample.make(journal: "WAL")
    #expect(try Store(path, nil, copiesBelow: 0).isClone)
    usleep(2_200_000)
    let store = try Store(path, nil, copiesBelow: 0)
    #expect(!store.isClone && !store.isBrief)
    #expect(try store.connection.integer("SELECT count(*) FROM ZPERSON") == 3)
    let facts = try store.facts(store.recognise())
    #expect(facts.journalMode == "wal" && facts.integrity == "ok")
    let names = try FileManager.default.contentsOfDirectory(atPath: TemporaryFolder.url.path)
    #expect(names == ["a.sqlite"])
  }

  /// What is found of a store that is read within so much time.
  private func facts(of path: String, within time: Duration) throws -> StoreFacts {
    let store = try Store(path, ReadingBudget(time), copiesBelow: 0)
    #expect(store.isBrief)
    return try store.facts(store.recognise())
  }

  @Test("of a store that is read in part nothing is checked or searched, and what is small counted")
  func brief() throws {
    let path = try StoreSample.make()
    let facts = try facts(of: path, within: .seconds(1))
    #expect(facts.integrity == "not checked" && facts.areBytesEstimated)
    #expect(facts.entities.map(\.rows) == [3] && facts.entities.allSatisfy { !$0.isEstimate })
    let hasty = try self.facts(of: path, within: .zero)
    #expect(hasty.entities.allSatisfy { $0.isEstimate })
    // A small store is read whole, whatever is asked for.
    #expect(try !Store(path, isBrief: true).isBrief)
  }

  @Test("rows are counted as long as there is time for it; else the last one's number has to do")
  func counting() throws {
    let path = try StoreSample.make { store in
      try store.execute(
        """
        CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY);
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY);
        INSERT INTO ACHANGE WITH RECURSIVE n(k) AS
          (SELECT 2 UNION ALL SELECT k + 1 FROM n WHERE k < 1000000) SELECT k FROM n
        """)
    }
    let counted = try facts(of: path, within: .seconds(600)).history
    #expect(counted?.changes == 999_999 && counted?.transactions == 0)
    #expect(try facts(of: path, within: .milliseconds(6)).history?.changes == 1_000_000)
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
