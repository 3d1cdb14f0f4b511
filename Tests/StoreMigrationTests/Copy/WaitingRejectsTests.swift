import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Objects that wait", .temporaryFolder)
struct WaitingRejectsTests {
  private static func path() -> String {
    TemporaryFolder.url.appending(path: "rejects.sqlite").path
  }

  private static func reject(_ key: Int64, _ reason: String = "no") -> Reject {
    Reject(entity: "A", key: key, reason: reason, script: "a.lua", line: 3, values: [1])
  }

  private func counts(_ log: [String]) throws -> [String] {
    try RejectStore.waiting(at: Self.path(), log: log).map { "\($0.run) \($0.entity) \($0.count)" }
  }

  @Test("those of a run in the log wait, until a later run of the log has retried them")
  func log() throws {
    #expect(try counts(["1"]) == [])
    let store = try RejectStore(path: Self.path())
    try store.add([Self.reject(1), Self.reject(2)], run: "1")
    try store.add([Self.reject(1)], run: "2")
    try store.close()
    #expect(try counts([]) == [])
    #expect(try counts(["1"]) == ["1 A 2"])
    #expect(try counts(["1", "2"]) == ["1 A 2", "2 A 1"])
    let again = try RejectStore(path: Self.path())
    try again.settle(["": ["A": [1]]], of: "1", by: "3", failed: [Self.reject(2, "still")])
    try again.close()
    for (log, by) in [(["1", "3"], "3"), (["1"], nil)] {
      var found: [Reject] = []
      var settled: [String?] = []
      try RejectStore.forEach(at: Self.path(), of: "1", log) { reject, later in
        found.append(reject)
        settled.append(later)
      }
      #expect(found == [Self.reject(1), Self.reject(2, "still")])
      #expect(settled == [by, nil])
    }
    try RejectStore.forEach(at: Self.path() + "x", of: "1", ["1"]) { _, _ in
      Issue.record("there is no such file")
    }
    #expect(try counts(["1"]) == ["1 A 2"])
    #expect(try counts(["1", "3"]) == ["1 A 1"])
  }

  @Test("two steps reject an object of the same name and key: each waits for itself")
  func steps() throws {
    let store = try RejectStore(path: Self.path())
    var rejects = [Self.reject(1, "first"), Self.reject(1, "second")]
    (rejects[0].step, rejects[1].step) = ("App 2", "App 3")
    for reject in rejects { try store.add([reject], run: "1") }
    #expect(try store.count(run: "1") == 2)
    rejects[1].reason = "still"
    try store.settle(["App 2": ["A": [1]]], of: "1", by: "2", failed: [rejects[1]])
    try store.close()
    #expect(try counts(["1"]) == ["1 A 2"])
    let waiting = try RejectStore.waiting(at: Self.path(), log: ["1", "2"], first: 9)
    #expect(waiting.map(\.reject) == [rejects[1]])
  }

  @Test("a file of an earlier version keeps what it holds, and takes an object of another step")
  func earlierVersion() throws {
    let earlier = try Connection(path: Self.path(), mode: .own(create: true))
    try earlier.execute(
      """
      CREATE TABLE rejects (run TEXT NOT NULL, entity TEXT NOT NULL, key INTEGER NOT NULL,
      reason TEXT NOT NULL, script TEXT NOT NULL, line INTEGER NOT NULL, object BLOB NOT NULL,
      step TEXT, PRIMARY KEY (run, entity, key)) WITHOUT ROWID;
      CREATE TABLE settled (run TEXT NOT NULL, entity TEXT NOT NULL, key INTEGER NOT NULL,
      by TEXT NOT NULL, PRIMARY KEY (run, entity, key, by)) WITHOUT ROWID;
      INSERT INTO rejects VALUES ('1', 'A', 1, 'no', 'a.lua', 3, x'01', 'App 2'),
      ('1', 'A', 2, 'no', 'a.lua', 3, x'01', NULL), ('1', 'A', 3, 'no', 'a.lua', 3, x'01', NULL);
      INSERT INTO settled VALUES ('1', 'A', 1, '2'), ('1', 'A', 2, '2')
      """)
    try earlier.close()
    #expect(try counts(["1", "2"]) == ["1 A 1"])
    let store = try RejectStore(path: Self.path())
    #expect(try store.count(run: "1") == 3)
    var other = Self.reject(3)
    other.step = "App 3"
    try store.add([other], run: "1")
    try store.close()
    #expect(try counts(["1", "2"]) == ["1 A 2"])
  }

  @Test("a log that somebody else has written is not taken for SQL or JSON")
  func hostile() throws {
    let store = try RejectStore(path: Self.path())
    try store.add([Self.reject(1)], run: "1")
    try store.close()
    #expect(try counts(["\"]", "'; DROP TABLE rejects; --", "\\", "1"]) == ["1 A 1"])
  }
}
