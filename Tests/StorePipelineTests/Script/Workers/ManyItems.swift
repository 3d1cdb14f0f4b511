import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport

/// Items with pictures, some of which lie in files, and owners; and a script that makes the new
/// version's objects of them.
struct ManyItems: WorkersSample {
  static let entity = "Item"
  static let chunk = 170
  let script: ScriptText
  let stores: BuildSample

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

  /// The rows of all tables, those with the associations and the saved state included.
  func rows(_ builder: StoreBuilder) throws -> [String] {
    // Each new store has an identifier of its own, and how far the file grew is measured from time
    // to time.
    let tables = try BuildSample.rows(
      """
      SELECT name FROM main.sqlite_master WHERE type = 'table' AND name <> 'Z_METADATA' ORDER BY 1
      """, builder)
    let known = "unit, last, rows, made, state, done"
    return try tables.flatMap { table in
      let columns = table == BuilderTables.progress ? known : "*"
      return try BuildSample.rows("SELECT '\(table)', \(columns) FROM main.\(table)", builder)
        .sorted()
    }
  }
}
