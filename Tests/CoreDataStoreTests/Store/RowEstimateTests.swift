import SQLite
import Testing

@testable import CoreDataStore

@Suite("Estimated numbers of objects")
struct RowEstimateTests {
  private func estimate(_ rows: String) throws -> [Int64: Int64] {
    let connection = try Connection(inMemory: .own)
    try connection.execute(
      """
      CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO ZA \(rows)
      """)
    return try RowEstimate(connection, of: "ZA").byEntity
  }

  @Test("a table without gaps is counted exactly, and its entities are estimated by their share")
  func shares() throws {
    #expect(try estimate("SELECT i, 2 FROM n") == [2: 100_000])
    let found = try estimate("SELECT i, CASE WHEN i % 4 THEN 2 ELSE 3 END FROM n")
    #expect((70_000...80_000).contains(found[2] ?? 0) && (20_000...30_000).contains(found[3] ?? 0))
  }

  @Test("gaps between keys are not counted, and an empty table has no objects")
  func gaps() throws {
    let found = try estimate("SELECT i, 2 FROM n WHERE i % 10 = 0")
    #expect((9_000...11_000).contains(found[2] ?? 0))
    #expect(try estimate("SELECT i, 2 FROM n WHERE i < 0") == [:])
  }
}
