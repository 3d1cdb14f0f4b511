import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("A stage in Lua that was killed", .temporaryFolder)
struct StageResumeTests {
  private static let model = """
    <entity name="Item">
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="place" optional="YES" attributeType="Integer 64"/>
    </entity>
    """

  /// Rows enough for several chunks of a stage.
  private static let rows = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 24000)
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 1, 1, 'n' || (i % 7) FROM n;
    """

  private static func sample() throws -> BuildSample {
    let sample = try BuildSample(model, model, rows: rows, in: TemporaryFolder.url)
    try StageBench.copied(sample).close()
    return sample
  }

  /// Numbers the items, and stops in the middle when it has to.
  private static func stage(_ more: String, stopsAt: Int?) throws -> LuaStage {
    let text = """
      local function work(ctx)
        ctx.each("Item", function(item)
          ctx.state.count = (ctx.state.count or 0) + 1
          if ctx.state.count == \(stopsAt ?? -1) then error("killed") end
          item.place = (item.place or 0) * 100000 + ctx.state.count
        end)
        ctx.groups("Item", "name", function(item, first)
          if item ~= first then ctx.delete(item) end
        end)
      end
      return { name = "s", summary = "S.", touches = { "*" }, run = work, \(more) }
      """
    return try StageBench.stage(text)
  }

  /// Kills the stage in the middle, then runs it to its end with another connection.
  private static func killed(_ more: String, at count: Int) throws -> [String] {
    let sample = try sample()
    let first = try sample.builder()
    #expect(throws: ScriptFailure.self) { try StageBench.run(stage(more, stopsAt: count), first) }
    try first.close()
    let again = try sample.builder()
    try StageBench.run(stage(more, stopsAt: nil), again)
    try StageBench.run(stage(more, stopsAt: 1), again)
    defer { try? again.close() }
    return try BuildSample.rows(
      "SELECT count(*), min(ZPLACE), max(ZPLACE), sum(ZPLACE) FROM ZITEM", again)
      + BuildSample.rows("SELECT ZNAME, ZPLACE FROM ZITEM ORDER BY Z_PK LIMIT 1", again)
  }

  @Test("with 'resume' it continues after the last chunk, with its state; each object is seen once")
  func resume() throws {
    #expect(
      try Self.killed("resume = work", at: 23_000) == ["7|1|7|28", "n1|1"])
  }

  @Test("without 'resume' it begins again, over what was done")
  func again() throws {
    let rows = try Self.killed("", at: 23_000)
    #expect(rows.last == "n1|100001")
    #expect(rows.first?.hasPrefix("7|100001|") == true)
  }

  @Test("a stage that takes another way on its second run is an error")
  func anotherWay() throws {
    let sample = try Self.sample()
    let first = try sample.builder()
    #expect(throws: ScriptFailure.self) {
      try StageBench.run(Self.stage("resume = work", stopsAt: 23_000), first)
    }
    let other = "resume = function(ctx) ctx.each(\"Item\", \"place = 1\", function() end) end"
    let failure = #expect(throws: ScriptFailure.self) {
      try StageBench.run(Self.stage(other, stopsAt: nil), first)
    }
    #expect(failure?.message.hasPrefix("'resume' goes another way than before") == true)
    try first.close()
  }
}
