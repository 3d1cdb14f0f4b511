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
    try connection.execute("CREATE TABLE a (Z_ENT); INSERT INTO a VALUES (1), (2), (2)")
    #expect(try connection.rowsByEntity(of: "a", expecting: expected) == [1: 1, 2: 2])
    try connection.execute("INSERT INTO a VALUES (7), (NULL), ('x'), (2.0)")
    let strange = try connection.rowsByEntity(of: "a", expecting: expected)
    #expect(strange[7] == 1 && strange[1] == 1 && strange.values.reduce(0, +) == 7)
  }
}
