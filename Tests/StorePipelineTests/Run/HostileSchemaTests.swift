import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Schemas that somebody else has had a hand in", .temporaryFolder)
struct HostileSchemaTests {
  /// Rewrites the statements of tables, as only somebody does who means it.
  private static func rewriting(_ old: String, _ new: String, of tables: String) -> String {
    """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = replace(sql, '\(old)', '\(new)')
    WHERE type = 'table' AND \(tables);
    PRAGMA writable_schema = RESET;
    """
  }

  /// What is done to the store, and what the plan says of it.
  static let changes: [(sql: String, told: String)] = [
    (
      rewriting("Z_OPT INTEGER", "Z_OPT INTEGER CHECK (Z_PK < 0)", of: "name = 'ZNOTE'"),
      "constraint CHECK (Z_PK < 0) on ZNOTE"
    ),
    (
      rewriting("Z_OPT INTEGER", "Z_OPT INTEGER CHECK (0)", of: "name = 'ZTAG'"),
      "constraint CHECK (0) on ZTAG"
    ),
    (
      rewriting("INTEGER,", "INTEGER CHECK (0),", of: "name GLOB 'Z_[0-9]*'"),
      "constraint CHECK (0) on Z_2TAGS"
    ),
    (
      rewriting("Z_MAX INTEGER", "Z_MAX INTEGER CHECK (0)", of: "name = 'Z_PRIMARYKEY'"),
      "constraint CHECK (0) on Z_PRIMARYKEY"
    ),
    (
      """
      CREATE TRIGGER stop BEFORE INSERT ON ZNOTE BEGIN SELECT RAISE(ABORT, 'no'); END;
      CREATE TRIGGER more AFTER UPDATE ON ZTAG BEGIN DELETE FROM ZNOTE; END;
      """, "trigger stop on ZNOTE"
    ),
  ]

  @Test(
    "a constraint or a trigger is named by the plan, and neither the way there nor back meets it",
    arguments: changes.indices, ["clone", "empty"])
  func named(change: Int, start: String) async throws {
    let sample = try RunSample()
    try SampleStore.change(sample.store, by: Self.changes[change].sql)
    let before = try sample.bytes()
    let text = PlanFolder.notesText(
      """
      stage "copy" {
        start = "\(start)", accept_loss = "*",
        map { entity = "Note", attributes = { priority = 0 } },
      }
      """)
    let plan = try sample.plan(text)
    #expect(plan.problems.isEmpty)
    let told = Self.changes[change].told
    #expect(plan.warnings.contains { $0.hasPrefix("\(told): the model does not explain it") })
    let summary = try await sample.run(plan)
    #expect(summary.outcome == .swapped)
    #expect(try StoreRows.read("SELECT count(*) FROM ZNOTE", at: sample.store) == ["3"])
    #expect(
      try StoreRows.read(
        """
        SELECT count(*) FROM sqlite_master WHERE sql LIKE '%CHECK%' OR type = 'trigger'
        """, at: sample.store) == ["0"])
    _ = try StoreRecovery(store: sample.store).rollback()
    #expect(try sample.bytes().count == before.count)
    #expect(try Store(sample.store).metadata.runs.isEmpty)
  }
}
