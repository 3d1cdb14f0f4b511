import Formats
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Looking through a store", .temporaryFolder) struct StoreSurveyTests {
  private func facts(_ edit: (Connection) throws -> Void) throws -> StoreFacts {
    let store = try Store(StoreSample.make("s.sqlite", edit))
    return try store.facts(store.recognise())
  }

  @Test("rows of a table of one entity are its own, whatever their number, with a warning")
  func strangeRows() throws {
    let facts = try facts { store in
      try store.execute(
        """
        INSERT INTO ZPERSON VALUES (10, NULL, 1, NULL, NULL), (11, 'x', 1, NULL, NULL),
          (12, -1, 1, NULL, NULL), (13, -9223372036854775808, 1, NULL, NULL);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 99
        """)
    }
    #expect(facts.entities.map(\.rows) == [7] && facts.entities[0].strays == 4)
    #expect(facts.warnings.map(\.subject) == ["ZPERSON"])
    let text = facts.warnings.first?.text
    #expect(text?.hasPrefix("4 of its rows have another Z_ENT than Person, 1.") == true)
  }

  @Test("values of other types than the model's are a warning for each attribute, with the count")
  func unexpected() throws {
    let recognition = ModelRecognition(
      known: .file, model: try StoreSample.model(), files: [], nearest: nil, misfits: [],
      isNewer: false, cacheProblem: nil)
    let store = try Store(
      StoreSample.make("s.sqlite") { store in
        try store.execute(
          """
          UPDATE ZPERSON SET ZNAME = x'00' WHERE Z_PK < 3; UPDATE ZPERSON SET ZPICTURE = 'x';
          UPDATE ZPERSON SET ZPICTURE = 5 WHERE Z_PK = 1
          """)
      })
    let facts = try store.facts(recognition)
    #expect(
      facts.warnings.map(\.description).sorted() == [
        "Person.name: 2 values are not of the type String that the model says, but blob: carried "
          + "as they are.",
        "Person.picture: 3 values are not of the type Binary that the model says, but "
          + "integer, text: carried as they are.",
      ])
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
    let error = #expect(throws: Failure.self) { try facts { try $0.execute(sql) } }
    #expect(error?.subject.hasSuffix(", ZPERSON") == true && error?.why == why)
  }

  @Test("a deferred migration and a past in iCloud are reported")
  func metadata() throws {
    var entries = StoreSample.metadata(of: try StoreSample.model())
    entries["NSPersistentStoreDeferredLightweightMigrationOptionKey"] = .bool(true)
    entries["com.apple.coredata.ubiquity.token"] = .string("t")
    let store = try Store(StoreSample.make(entries: entries))
    let text = try store.facts(store.recognise()).warnings.map(\.description)
    #expect(text.contains { $0.contains("deferred part of a lightweight migration") })
    #expect(text.contains { $0.contains("once kept in iCloud") })
  }

  @Test("a history of which one table is missing is none")
  func halfHistory() throws {
    let facts = try facts { try $0.execute("CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)") }
    #expect(facts.history == nil)
  }
}
