import Foundation
import SQLite
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Values that are too long", .temporaryFolder) struct LongValueTests {
  private let error = SQLiteError(18, "string or blob too big")

  private func store() throws -> Connection {
    let path = samplePath("a.sqlite")
    let maker = try Connection(path: path, mode: .own(create: true))
    try maker.execute(
      """
      CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, A); INSERT INTO T VALUES (-3, 'a'), (4, 'b'),
      (7, CAST(zeroblob(3000000) AS TEXT)), (9, 'c'), (12, CAST(zeroblob(3000000) AS TEXT))
      """)
    try maker.close()
    var mode = OpenMode.foreign
    mode.guards.longestValue = 1 << 20
    return try Connection(path: path, mode: mode)
  }

  @Test(
    "the first object behind a key is found",
    arguments: [(Int64.min, 7), (7, 12)] as [(Int64, Int64)])
  func first(last: Int64, key: Int64) throws {
    let value = LongValue(try store(), table: "T")
    #expect(value.subject("entity T", error, after: last) == "entity T, Z_PK \(key)")
  }

  @Test("where there is none, or it is another error, the part stays alone") func none() throws {
    let value = LongValue(try store(), table: "T")
    #expect(value.subject("entity T", error, after: 12) == "entity T")
    #expect(value.subject("entity T", SQLiteError(10, "disk I/O error")) == "entity T")
  }
}
