import SQLite
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Counting the rows of each entity")
struct EntityCountingTests {
  @Test(
    "what is expected, and what is not, is counted the same",
    arguments: [[], [1, 2], [2, 1, 3], [1], Array(1...20)])
  func counts(expected: [Int64]) throws {
    let connection = try Connection(inMemory: .own)
    func counts(_ connection: Connection, _ numbers: [Int64]) throws -> RowCounts {
      try connection.rowCounts(of: "a", expecting: numbers, meeting: ["Z_ENT > 1", "Z_ENT = 'x'"])
    }
    try connection.execute("CREATE TABLE a (Z_ENT); INSERT INTO a VALUES (1), (2), (2)")
    #expect(try counts(connection, expected).byEntity == [1: 1, 2: 2])
    #expect(try counts(connection, expected).meeting == 2)
    try connection.execute("INSERT INTO a VALUES (7), (NULL), ('x')")
    let strange = try counts(connection, expected)
    #expect(strange.byEntity == [1: 1, 2: 2, 7: 1, -1: 2])
    // A text is more than any number (SQLite, Datatypes, 4.1).
    #expect(strange.meeting == 4)
  }
}
