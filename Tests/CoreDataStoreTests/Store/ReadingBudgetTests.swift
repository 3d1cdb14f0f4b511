import SQLite
import Testing

@testable import CoreDataStore

@Suite("The time of a look")
struct ReadingBudgetTests {
  private static let endless = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
    """

  @Test("what fits is answered, and what does not is left")
  func fits() throws {
    let connection = try Connection(inMemory: .own)
    let budget = ReadingBudget(.milliseconds(300))
    #expect(try budget.within(connection) { try connection.integer("SELECT 7") } == 7)
    #expect(try budget.within(connection) { try connection.integer(Self.endless) } == nil)
    #expect(try connection.integer("SELECT 8") == 8)
  }

  @Test("when it is used up, nothing is begun any more")
  func usedUp() throws {
    let connection = try Connection(inMemory: .own)
    let budget = ReadingBudget(.milliseconds(2))
    var begun = 0
    try budget.within(connection) { begun += 1 }
    #expect(begun == 0)
  }

  @Test("an error is not taken for a lack of time")
  func error() throws {
    let connection = try Connection(inMemory: .own)
    #expect(throws: SQLiteError.self) {
      try ReadingBudget().within(connection) { try connection.integer("SELECT nothing") }
    }
  }
}
