import Foundation
import SQLite
import TestSupport
import Testing

@testable import Benchmarks

@Suite("Whether results hold the same rows", .temporaryFolder) struct ContentCheckTests {
  private static let rows = "INSERT INTO a VALUES (1, 'one', 0), (2, NULL, 0)"
  private let check = ContentCheck(tables: [.init(name: "a", keys: ["k"], columns: ["v"])])

  @Test(
    "what differs is reported",
    arguments: [
      ("INSERT INTO a VALUES (1, 'one', 9), (2, NULL, 9)", nil),
      ("INSERT INTO a VALUES (1, 'one', 0)", "a has 1 of 2 rows, equal are 1"),
      ("INSERT INTO a VALUES (1, 'one', 0), (2, '', 0)", "a has 2 of 2 rows, equal are 1"),
      ("INSERT INTO a VALUES (1, 'one', 0), (3, NULL, 0)", "a has 2 of 2 rows, equal are 1"),
      (
        "INSERT INTO a VALUES (1, 'one', 0), (2, NULL, 0); CREATE INDEX i ON a (v)",
        "other indexes"
      ),
    ])
  func difference(_ sql: String, _ expected: String?) throws {
    let reference = try store("reference", Self.rows)
    #expect(try check.difference(between: store("result", sql), and: reference) == expected)
  }

  private func store(_ name: String, _ sql: String) throws -> URL {
    let url = TemporaryFolder.url.appending(path: name)
    let connection = try Connection(path: url.path, mode: .own(create: true))
    try connection.execute("CREATE TABLE a (k INTEGER PRIMARY KEY, v, other); \(sql)")
    try connection.close()
    return url
  }
}
