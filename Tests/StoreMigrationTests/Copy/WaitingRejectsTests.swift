import CoreDataStore
import Foundation
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
    try again.settle(["A": [1]], of: "1", by: "3", failed: [Self.reject(2, "still")])
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

  @Test("a log that somebody else has written is not taken for SQL or JSON")
  func hostile() throws {
    let store = try RejectStore(path: Self.path())
    try store.add([Self.reject(1)], run: "1")
    try store.close()
    #expect(try counts(["\"]", "'; DROP TABLE rejects; --", "\\", "1"]) == ["1 A 1"])
  }
}
