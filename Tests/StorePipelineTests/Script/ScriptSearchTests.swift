import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Searches of scripts", .temporaryFolder)
struct ScriptSearchTests {
  private static let item = """
    <entity name="Item"><attribute name="word" optional="YES" attributeType="String"/></entity>
    """

  private static let tag = """
    <entity name="Tag"><attribute name="word" optional="YES" attributeType="String"/>
      <attribute name="count" optional="YES" attributeType="Integer 32"/></entity>
    """

  /// 1,200 items with 300 words.
  private static let rows = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZWORD)
    WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 1200)
    SELECT k, 1, 1, 'word ' || (k % 300) FROM n
    """

  @Test(
    "what is looked for, and made where it is missing, is found by an index",
    arguments: ["{ word = item.word }", "\"word = '\" .. item.word .. \"'\""])
  func lookupOrCreate(condition: String) throws {
    let script = try ScriptText(
      """
      return { creates = { "Item", "Tag" }, create = function(item, new, ctx)
        local tag = ctx.find("Tag", \(condition))[1] or new.Tag { word = item.word, count = 0 }
        tag.count = tag.count + 1
        return new.Item(item)
      end }
      """)
    let outline = try script.outline()
    let stores = try BuildSample(
      Self.item, Self.item + Self.tag, rows: Self.rows, in: TemporaryFolder.url
    ) { $0.scripts = [.init(entity: "Item", makesObjects: true)] }
    let builder = try stores.builder()
    let run = try ScriptRun(
      outline, builder, entity: "Item",
      ScriptOptions(runID: "run", now: .now, rejectsPath: stores.path("rejects.sqlite")),
      limits: ChunkLimits(rows: 100))
    try ScriptSample.finish(run)
    #expect(
      try BuildSample.rows(
        "SELECT count(*), count(DISTINCT ZWORD), min(ZCOUNT), max(ZCOUNT) FROM main.ZTAG", builder)
        == ["300|300|4|4"])
    #expect(
      try BuildSample.rows(
        "SELECT name FROM main.sqlite_master WHERE name GLOB 'pipeline_link_*'", builder)
        == ["pipeline_link_ZTAG_ZWORD"])
  }
}
