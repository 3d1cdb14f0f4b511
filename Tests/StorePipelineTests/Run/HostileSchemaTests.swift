import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Schemas that another program has changed", .temporaryFolder)
struct HostileSchemaTests {
  /// A column whose clause no row obeys; our connections run no such clause.
  private static func column(_ clause: String, of table: String) -> String {
    "ALTER TABLE \(table) ADD COLUMN ZX INTEGER \(clause)"
  }

  /// What is done to the store, and what the plan says of it.
  static let changes: [(sql: String, told: String)] = [
    (column("CHECK (Z_PK < 0)", of: "ZNOTE"), "constraint CHECK (Z_PK < 0) on ZNOTE"),
    (column("CHECK (0)", of: "ZTAG"), "constraint CHECK (0) on ZTAG"),
    (column("CHECK (0)", of: "Z_2TAGS"), "constraint CHECK (0) on Z_2TAGS"),
    (column("CHECK (0)", of: "Z_PRIMARYKEY"), "constraint CHECK (0) on Z_PRIMARYKEY"),
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
    #expect(try Store(sample.store).metadata.log.isEmpty)
  }

  @Test("the indexes that an application added are one warning")
  func indexes() throws {
    let sample = try RunSample()
    try SampleStore.change(
      sample.store,
      by: (1...12).map { "CREATE INDEX own\($0) ON ZNOTE (Z_OPT);" }.joined())
    let warnings = try sample.plan(PlanFolder.notesText("stage \"copy\" {}")).warnings.filter {
      $0.contains("own1")
    }
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("12 indexes, own1, own10, own11") == true, "\(warnings)")
    #expect(warnings.first?.contains(" and 2 more: the model does not explain them") == true)
  }
}
