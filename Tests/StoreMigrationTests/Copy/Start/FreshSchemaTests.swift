import SQLite
@testable import StoreMigration
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("The schema of a new store", .temporaryFolder)
struct FreshSchemaTests {
  @Test(
    "differs from one that has more, less, or something else",
    arguments: [
      ("", nil), ("CREATE INDEX more ON ZA (ZNAME)", "the index more is too many"),
      ("DROP INDEX Z_B_byN", "the index Z_B_byN is missing"),
      ("DROP TABLE Z_METADATA", "the table Z_METADATA is missing"),
      (
        "DROP TABLE Z_METADATA; CREATE TABLE Z_METADATA (a)",
        "the table Z_METADATA was made by another statement"
      ),
      ("CREATE VIEW v AS SELECT 1", "the view v is too many"),
    ])
  func difference(sql: String, words: String?) throws {
    let schema = try StartSample.sample().target
    let store = try NewStore(at: samplePath("new.sqlite"), schema: schema)
    for part in NewStore.Part.allCases { try store.make(part) }
    try store.connection.execute(sql)
    let found = try FreshSchema(store).difference(from: try Schema(of: store.connection))
    #expect(found == words)
  }
}
