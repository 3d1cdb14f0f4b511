import CoreDataStore
import Formats
import SQLite
import TestSupport
import Testing

@Suite("Looking through a store", .temporaryFolder) struct StoreSurveyTests {
  private func facts(_ edit: (Connection) throws -> Void) throws -> StoreFacts {
    let store = try Store(StoreSample.make("s.sqlite", edit))
    return try store.facts(store.recognise())
  }

  @Test("rows whose entity is no number of the table are told, and counted for none")
  func strangeRows() throws {
    let facts = try facts { store in
      try store.execute(
        """
        INSERT INTO ZPERSON VALUES (10, NULL, 1, NULL, NULL), (11, 'x', 1, NULL, NULL),
          (12, -1, 1, NULL, NULL), (13, -9223372036854775808, 1, NULL, NULL);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 99
        """)
    }
    #expect(facts.entities.map(\.rows) == [3])
    #expect(facts.warnings.map(\.subject) == ["ZPERSON"])
    #expect(facts.warnings.first?.text.hasPrefix("4 of its rows belong to no entity") == true)
  }

  @Test(
    "an entity table that is no plain table is an error that names it",
    arguments: [
      ("DROP TABLE ZPERSON", "There is no such table."),
      (
        "ALTER TABLE ZPERSON RENAME TO Q; CREATE VIEW ZPERSON AS SELECT * FROM Q",
        "It is a view, and Core Data keeps its objects in tables."
      ),
      (
        "ALTER TABLE ZPERSON DROP COLUMN Z_ENT",
        "It has no column Z_ENT."
      ),
      (
        "ALTER TABLE ZPERSON RENAME TO Q; ALTER TABLE Q RENAME TO zperson",
        "The table's name is written zperson."
      ),
    ])
  func strangeTable(sql: String, why: String) throws {
    let error = #expect(throws: StoreError.self) { try facts { try $0.execute(sql) } }
    #expect(error?.subject.hasSuffix(", ZPERSON") == true && error?.why == why)
  }

  @Test("a migration that was put off and a past in iCloud are told")
  func metadata() throws {
    var entries = StoreSample.metadata(of: try StoreSample.model())
    entries["NSPersistentStoreDeferredLightweightMigrationOptionKey"] = .bool(true)
    entries["com.apple.coredata.ubiquity.token"] = .string("t")
    let store = try Store(StoreSample.make(entries: entries))
    let text = try store.facts(store.recognise()).warnings.map(\.description)
    #expect(text.contains { $0.contains("has been put off") })
    #expect(text.contains { $0.contains("once kept in iCloud") })
  }

  @Test("a history of which one table is missing is none")
  func halfHistory() throws {
    let facts = try facts { try $0.execute("CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)") }
    #expect(facts.history == nil)
  }
}
