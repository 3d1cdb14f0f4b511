import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Rejected objects", .temporaryFolder)
struct RejectStoreTests {
  private static func reject(_ entity: String, _ key: Int64, _ reason: String = "no") -> Reject {
    Reject(entity: entity, key: key, reason: reason, script: "a.lua", line: 3, values: [1, 2])
  }

  private static func all(_ store: RejectStore, run: String) throws -> [Reject] {
    var found: [Reject] = []
    try store.forEach(run: run) { found.append($0) }
    return found
  }

  @Test("they are there again when the file is opened again, run by run")
  func keeps() throws {
    let path = TemporaryFolder.url.appending(path: "rejects.sqlite").path
    let store = try RejectStore(path: path)
    try store.add([Self.reject("B", 1), Self.reject("A", 9), Self.reject("A", 2)], run: "1")
    try store.add([Self.reject("A", 2)], run: "2")
    try store.close()
    let again = try RejectStore(path: path)
    let found = try Self.all(again, run: "1")
    #expect(found == [Self.reject("A", 2), Self.reject("A", 9), Self.reject("B", 1)])
    #expect(try again.count(run: "2") == 1)
    #expect(try again.count(run: "3") == 0)
    try again.close()
  }

  @Test("an object that is rejected again replaces itself")
  func replaces() throws {
    let store = try RejectStore(path: TemporaryFolder.url.appending(path: "r.sqlite").path)
    try store.add([Self.reject("A", 1, "first")], run: "1")
    try store.add([Self.reject("A", 1, "second")], run: "1")
    #expect(try Self.all(store, run: "1").map(\.reason) == ["second"])
    try store.close()
  }

  @Test("what a killed process has left half written is rolled back by those who only look")
  func hotJournal() throws {
    let path = TemporaryFolder.url.appending(path: "r.sqlite").path
    let store = try RejectStore(path: path)
    try store.add([Self.reject("A", 1)], run: "1")
    try store.close()
    let crashed = TemporaryFolder.url.appending(path: "crashed.sqlite").path
    let writer = try Connection(path: path, mode: .own(create: false))
    // A cache of few pages: SQLite spills half of the transaction into the file.
    try writer.execute(
      """
      PRAGMA cache_size = 5; BEGIN;
      WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO rejects
      SELECT '1', 'A', i, printf('%0200d', i), 'a.lua', 1, x'00', '' FROM n
      """)
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: crashed + suffix)
    }
    try writer.execute("ROLLBACK")
    try writer.close()
    #expect(try RejectStore.count(at: crashed) == 1)
  }

  @Test("a file that is something else is refused by its path")
  func foreign() throws {
    let path = TemporaryFolder.url.appending(path: "r.sqlite")
    try Data(String(repeating: "not a database", count: 100).utf8).write(to: path)
    let error = #expect(throws: Failure.self) { _ = try RejectStore(path: path.path) }
    #expect(error?.subject == path.path)
  }
}
