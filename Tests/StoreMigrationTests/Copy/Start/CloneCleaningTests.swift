import SQLite
@testable import StoreMigration
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("What a clone of a source loses", .temporaryFolder)
struct CloneCleaningTests {
  @Test("everything that does not stay goes, and what acts on its own goes first")
  func cleaning() throws {
    let sample = try StartSample.sample(
      changing: """
        CREATE TABLE evil (a); CREATE VIEW v AS SELECT a FROM evil;
        CREATE TRIGGER t AFTER DELETE ON ZA BEGIN DELETE FROM ZB; END;
        CREATE INDEX mine ON ZA (ZNAME); CREATE INDEX other ON ZB (ZNAME);
        PRAGMA user_version = 7
        """)
    let connection = try Connection(path: samplePath("source.sqlite"), mode: .own(create: false))
    let pairs = try #require(sample.target.joinTables.first).name
    let index = try #require(sample.target.indexes.first { $0.table == pairs }).name
    try connection.transaction {
      try CloneCleaning(connection, keeping: ["ZA", pairs], with: [index]).run()
    }
    let left = try Schema(of: connection).objects.map(\.name).sorted()
    #expect(left == ["ZA", pairs, index, "sqlite_autoindex_\(pairs)_1"].sorted())
    #expect(try connection.integer("PRAGMA user_version") == 0)
    #expect(try connection.integer("SELECT count(*) FROM ZA") == 4)
  }
}
