import CoreDataStore
import Foundation
import TestSupport
import Testing

@Suite("Objects set aside", .temporaryFolder)
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

  @Test("an object that is set aside again replaces itself")
  func replaces() throws {
    let store = try RejectStore(path: TemporaryFolder.url.appending(path: "r.sqlite").path)
    try store.add([Self.reject("A", 1, "first")], run: "1")
    try store.add([Self.reject("A", 1, "second")], run: "1")
    #expect(try Self.all(store, run: "1").map(\.reason) == ["second"])
    try store.close()
  }

  @Test("a file that is something else is refused by its path")
  func foreign() throws {
    let path = TemporaryFolder.url.appending(path: "r.sqlite")
    try Data(String(repeating: "not a database", count: 100).utf8).write(to: path)
    let error = #expect(throws: StoreError.self) { _ = try RejectStore(path: path.path) }
    #expect(error?.subject == path.path)
  }
}
