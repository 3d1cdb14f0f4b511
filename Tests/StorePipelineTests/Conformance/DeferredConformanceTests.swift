import CoreDataStore
import Formats
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Stores in which Core Data deferred removing columns", .temporaryFolder)
struct DeferredConformanceTests {
  private typealias Pair = MadePair

  private static let column = "_DEFERRED_6F9619FF-8B86-D011-B42D-00C04FC964FF__ZOLD"

  private static func pair() throws -> Pair {
    try Pair(
      Pair.entity("A", nil, Pair.text("x")), Pair.entity("A", nil, Pair.text("x"), Pair.text("y")),
      rows: """
        ALTER TABLE ZA ADD COLUMN "\(column)" VARCHAR;
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX, "\(column)") VALUES (1, 1, 1, 'x', 'old');
        """, metadata: [Metadata.Key.deferredMigration: .bool(true)])
  }

  @Test("they are inspected and migrated without these columns")
  func migrated() async throws {
    let pair = try Self.pair()
    let plan = try pair.plan()
    #expect(plan.warnings.contains { $0.contains("(ZA.ZOLD) wait to be removed") })
    #expect(plan.warnings.allSatisfy { !$0.contains("the model does not explain") })
    let (faults, summary) = try await pair.run()
    #expect(faults == [] && summary.outcome == .swapped)
    #expect(try pair.rows("SELECT ZX, ZY FROM ZA") == ["x|NULL"])
    #expect(try Store(pair.store).metadata.hasDeferredMigration == false)
  }
}
