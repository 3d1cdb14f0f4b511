import CoreDataStore
import Formats
import SQLite
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("How a new store begins", .temporaryFolder)
struct StartPlannerTests {
  private static func entity(_ name: String, _ more: String = "") -> String {
    "<entity name=\"\(name)\"><attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/>"
      + "\(more)</entity>"
  }

  private static let more =
    "<attribute name=\"b\" optional=\"YES\" attributeType=\"String\"/>"

  /// The start of a plan for a store of two entities, of which the first changes.
  private func start(
    _ option: String, rows: (Int, Int)?, end: String = "stage \"swap\" {}",
    changing sql: String = ""
  ) throws -> PlannedStart {
    try #require(try plan(option, rows: rows, end: end, changing: sql).steps.first).start
  }

  private func plan(
    _ option: String, rows: (Int, Int)?, end: String, changing sql: String = ""
  ) throws -> Plan {
    let folder = try PlanFolder.models([
      Self.entity("A") + Self.entity("B"), Self.entity("A", Self.more) + Self.entity("B"),
    ])
    if let rows { try make(folder, rows, sql) }
    let text = """
      pipeline "p" { format = 1, models = "App.xcdatamodeld" }
      stage "detect" {}
      stage "open" {}
      stage "copy" {\(option)}
      \(end)
      """
    let plan = try folder.plan(text, store: rows == nil ? nil : "App.sqlite")
    #expect(plan.problems == [])
    return plan
  }

  private func make(_ folder: PlanFolder, _ rows: (Int, Int), _ sql: String) throws {
    let model = try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App")
    let store = try NewStore(at: folder.path("App.sqlite"), schema: try StoreSchema(of: model))
    for part in NewStore.Part.allCases { try store.make(part) }
    for (number, (table, count)) in [("ZA", rows.0), ("ZB", rows.1)].enumerated() {
      try store.connection.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT, ZA) SELECT i, \(number + 1), 1, hex(i) FROM n
        """)
    }
    try store.connection.execute(sql)
    try store.close()
  }

  @Test(
    "on top of the source where a third of it stays, empty where less does, or as the stage says",
    arguments: [
      ("", (10, 2000), PlannedStart.Way.overlay), ("", (4000, 10), .empty),
      ("start = \"clone\"", (4000, 10), .clone), ("start = \"auto\"", (10, 2000), .overlay),
    ])
  func share(option: String, rows: (Int, Int), how: PlannedStart.Way) throws {
    let start = try start(option, rows: rows)
    #expect(start.how == how && start.why.hasSuffix("% of it stays as it is"))
  }

  @Test(
    "a store that must be a file of its own begins as a copy, and the plan says why",
    arguments: [
      #"stage "hook" { command = { "true" } } stage "swap" {}"#
    ])
  func file(end: String) throws {
    let start = try start("", rows: (10, 2000), end: end)
    #expect(start.how == .clone)
    #expect(start.why.hasSuffix("; a program may look at it before the swap"))
  }

  @Test("one that stays in the run's folder begins on top of the source, like any other")
  func staged() throws { #expect(try start("", rows: (10, 2000), end: "").how == .overlay) }

  @Test("one that is renamed over the old one begins on top of it, and is written as a file then")
  func renamed() throws {
    let start = try start("", rows: (10, 2000), end: #"stage "swap" { method = "rename" }"#)
    #expect(start.how == .overlay)
    #expect(start.why.hasSuffix("; it is written as one file before that is renamed"))
  }

  @Test(
    "one whose source is unlike a new store begins empty, and the plan says why",
    arguments: [
      ("PRAGMA auto_vacuum = 0; VACUUM", "its pages are not laid out like those of a new store"),
      ("CREATE VIRTUAL TABLE v USING rtree (a, b, c)", "it has virtual tables"),
      (
        "CREATE TABLE s (a INTEGER PRIMARY KEY AUTOINCREMENT)",
        "it has a table that cannot be removed"
      ), ("ALTER TABLE ZB ADD COLUMN own", "no table stays as it is"),
    ])
  func obstacle(sql: String, why: String) throws {
    let start = try start("", rows: (10, 2000), changing: sql)
    #expect(start.how == .empty && start.why == why)
  }

  @Test("pages of another size are no reason to write them all")
  func pageSize() throws {
    let start = try start("", rows: (10, 2000), changing: "PRAGMA page_size = 8192; VACUUM")
    #expect(start.how == .overlay)
  }

  @Test(
    "a plan says it in its text and as JSON",
    arguments: [
      ("", "stage \"swap\" {}", "overlay", "on top of the source"),
      ("", "", "overlay", "on top of the source"), ("start = \"empty\"", "", "empty", "empty"),
    ])
  func reports(option: String, end: String, how: String, words: String) throws {
    let plan = try plan(option, rows: (10, 2000), end: end)
    let start = try #require(plan.steps.first).start
    let text = TextPlanReport(plan, store: "a", width: 200, style: Style(isOn: false)).text
    #expect(text.contains("begins    \(words): \(start.why)\n"))
    let json = try JSONValue(reading: Array(JSONPlanReport(plan).text.utf8))
    let said = json["steps"]?.array?.first?["start"]
    #expect(said?["how"]?.string == how && said?["why"]?.string == start.why)
  }

  @Test("an empty start that the stage says needs no other reason")
  func said() throws {
    let start = try start("start = \"empty\"", rows: (10, 2000))
    #expect(start.how == .empty && start.why == "the stage copy says so")
  }

  @Test("a later step weighs the bytes of the store at first, and not the number of its objects")
  func later() throws {
    let c = "<attribute name=\"c\" optional=\"YES\" attributeType=\"String\"/>"
    let folder = try PlanFolder.models([
      Self.entity("A") + Self.entity("B"), Self.entity("A", Self.more) + Self.entity("B"),
      Self.entity("A", Self.more + c) + Self.entity("B"),
    ])
    try make(folder, (2000, 20), "UPDATE ZB SET ZA = hex(randomblob(20000))")
    let steps = [2, 3].map { "step \"App \($0)\" { stage \"copy\" {} }\n" }.joined()
    let plan = try folder.plan(
      """
      pipeline "p" { format = 1, models = "App.xcdatamodeld", target = "App 3" }
      \(steps)
      stage "swap" {}
      """, store: "App.sqlite")
    #expect(plan.problems == [])
    #expect(plan.steps.map(\.start.how) == [.overlay, .overlay])
  }

  @Test("without a store nobody can tell")
  func unknown() throws {
    #expect(try start("", rows: nil).how == nil)
    #expect(try start("start = \"clone\"", rows: nil).how == .clone)
  }
}
