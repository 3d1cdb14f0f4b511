import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport

/// Items with pictures, some of which lie in files, and owners; and a script that makes the new
/// version's objects of them.
struct ManyItems {
  private let script: ScriptText
  private let stores: BuildSample

  /// What a run came to.
  struct Outcome: Equatable {
    /// The rows of all tables, those with the associations and the saved state included.
    var rows: [String]
    var counts: ScriptCounts
    var failures: [String]
    var warnings: [ScriptWarning]
    var rejects: [String]
    var error: String?
  }

  static let count = 1500

  private static let person = """
    <entity name="Person">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item"
        inverseName="owner" inverseEntity="Item"/>
    </entity>
    """

  private static let common = """
    <attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person"
      inverseName="items" inverseEntity="Person"/>
    """

  private static let before = """
    <entity name="Item">
      \(common)
      <attribute name="qty" optional="YES" attributeType="Integer 32"/>
      <attribute name="image" optional="YES" attributeType="Binary"/>
      <attribute name="file" optional="YES" attributeType="Binary"
        allowsExternalBinaryDataStorage="YES"/>
    </entity>
    <entity name="Special" parentEntity="Item"/>
    \(person)
    """

  private static let after = """
    <entity name="Base" isAbstract="YES">
      <attribute name="mark" optional="YES" attributeType="String"/>
    </entity>
    <entity name="Item">
      \(common)
      <attribute name="title" attributeType="String" defaultValueString="-"/>
      <attribute name="note" optional="YES" attributeType="String"/>
      <attribute name="total" optional="YES" attributeType="Double"/>
      <attribute name="sum" optional="YES" attributeType="Decimal"/>
      <attribute name="place" optional="YES" attributeType="Integer 16"/>
      <relationship name="photo" optional="YES" maxCount="1" destinationEntity="Photo"
        inverseName="item" inverseEntity="Photo"/>
      <relationship name="tags" optional="YES" toMany="YES" ordered="YES" destinationEntity="Tag"
        inverseName="items" inverseEntity="Tag"/>
    </entity>
    <entity name="Special" parentEntity="Item"/>
    <entity name="Photo">
      <attribute name="data" attributeType="Binary"/>
      <attribute name="size" optional="YES" attributeType="Integer 32"/>
      <relationship name="item" optional="YES" maxCount="1" destinationEntity="Item"
        inverseName="photo" inverseEntity="Item"/>
    </entity>
    \(person)
    <entity name="Tag">
      <attribute name="word" optional="YES" attributeType="String"/>
      <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item"
        inverseName="tags" inverseEntity="Item"/>
    </entity>
    """

  private static let file = "5B7D3C1A-0000-4000-8000-000000000001"

  private static let rows = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count + 300))
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZQTY, ZIMAGE, ZFILE, ZOWNER)
    SELECT i * 3 + i % 2, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME =
      CASE WHEN i % 6 = 4 THEN 'Special' ELSE 'Item' END), 1,
      CASE WHEN i % 9 = 0 THEN NULL ELSE 'item ' || i END, i,
      CASE WHEN i % 50 = 0 THEN randomblob(9000) WHEN i % 3 = 0 THEN randomblob(20) END,
      CASE WHEN i % 101 = 0 THEN CAST(x'02' || '\(file)' || x'00' AS BLOB) END,
      CASE WHEN i % 8 > 0 THEN i % 8 END FROM n;
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME)
    SELECT value, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'), 1, 'person ' || value
    FROM json_each('[1,2,3,4,5,6,7]');
    """

  /// The items, and a script whose `create` has this body; what stands before its table, and what
  /// else it has.
  init(_ create: String, before: String = "", hooks: String = "") throws {
    script = try ScriptText(
      """
      \(before)
      return {
        creates = { "Item", "Photo", "Tag", "Base" },
        create = function(item, new, ctx)
          local n = item.qty
          \(create)
        end,
        \(hooks)
      }
      """, name: "items.lua")
    let outline = try script.outline()
    stores = try BuildSample(Self.before, Self.after, rows: Self.rows, in: TemporaryFolder.url) {
      $0.scripts = [
        ScriptClaim(
          entity: "Item", attributes: outline.computed, reads: outline.reads, makesObjects: true)
      ]
    }
    let folder = URL(filePath: path("external"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(repeating: 7, count: 20_000).write(to: folder.appending(path: Self.file))
  }

  /// A file of the sample.
  func path(_ name: String) -> String { stores.path(name) }

  /// The store as it is being built.
  func builder() throws -> StoreBuilder { try stores.builder() }

  /// The script at work.
  func run(
    _ builder: StoreBuilder, workers: Int, _ change: (inout ScriptOptions) -> Void = { _ in }
  ) throws -> ScriptRun {
    var options = ScriptOptions(
      runID: "run", now: Date(timeIntervalSinceReferenceDate: 0), rejectsPath: path("rejects"))
    options.workers = workers
    change(&options)
    return try ScriptRun(
      try script.outline(), builder, entity: "Item", options,
      limits: ChunkLimits(rows: 170, time: .seconds(3600)))
  }

  /// The whole of the work, by so many workers, and how many objects they had run the script for;
  /// nothing of it stays.
  func outcome(
    workers: Int, _ change: (inout ScriptOptions) -> Void = { _ in }
  ) throws -> (Outcome, ahead: Int) {
    let builder = try builder()
    defer { try? remove(builder) }
    let run = try run(builder, workers: workers, change)
    var error: String?
    do {
      try ScriptSample.finish(run)
    } catch let failure {
      error = "\(failure)"
      run.endWorkers()
    }
    return (try outcome(of: run, builder, error), run.takenAhead)
  }

  /// Closes the store that is being built, and removes it.
  func remove(_ builder: StoreBuilder) throws {
    try builder.close()
    for name in ["next.sqlite", "next.sqlite-journal", "rejects"]
    where FileManager.default.fileExists(atPath: path(name)) {
      try FileManager.default.removeItem(atPath: path(name))
    }
  }

  /// What a run has come to.
  func outcome(
    of run: ScriptRun, _ builder: StoreBuilder, _ error: String? = nil
  ) throws -> Outcome {
    var rejects: [String] = []
    // A run that failed has the file open.
    if error == nil, FileManager.default.fileExists(atPath: path("rejects")) {
      let store = try RejectStore(path: path("rejects"))
      try store.forEach(run: "run") { rejects.append("\($0)") }
      try store.close()
    }
    // Each new store has an identifier of its own, and how far the file grew is measured from time
    // to time.
    let tables = try BuildSample.rows(
      """
      SELECT name FROM main.sqlite_master WHERE type = 'table' AND name <> 'Z_METADATA' ORDER BY 1
      """, builder)
    let known = "unit, last, rows, made, state, done"
    let rows = try tables.flatMap { table in
      let columns = table == BuilderTables.progress ? known : "*"
      return try BuildSample.rows("SELECT '\(table)', \(columns) FROM main.\(table)", builder)
        .sorted()
    }
    return Outcome(
      rows: rows, counts: run.counts, failures: run.failures.map { "\($0)" },
      warnings: run.warnings, rejects: rejects, error: error)
  }
}
