import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Values that cannot be converted", .temporaryFolder)
struct ConvertedValuesRunTests {
  /// A store of items whose size is a text, which becomes a number; in a third version it has
  /// another name.
  private struct Sample {
    let folder: PlanFolder
    var store: String { folder.path("App.sqlite") }

    init() throws {
      func item(_ name: String, _ type: String) -> String {
        """
        <entity name="Item"><attribute name="\(name)" optional="YES" attributeType="\(type)"/>
        </entity>
        """
      }
      folder = try PlanFolder.models([
        item("size", "String"), item("size", "Integer 16"), item("length", "Integer 16"),
      ])
      try SampleStore.make(
        of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"), at: store,
        adding: """
          INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, '5'), (2, 1, 1, 'large'),
            (3, 1, 1, NULL), (4, 1, 1, '40000'), (5, 1, 1, ' 7');
          UPDATE Z_PRIMARYKEY SET Z_MAX = 5
          """)
    }

    static let converting = """
      map { entity = "Item", attributes = { size = convert("size", "Integer 16") } }
      """

    func plan(_ words: String = converting, target: String = "App 2") throws -> Plan {
      try folder.plan(
        PlanFolder.appText("stage \"copy\" { \(words) }", header: "target = \"\(target)\""),
        store: "App.sqlite")
    }

    func chain(_ words: String = converting) throws -> Plan {
      try folder.plan(
        PlanFolder.appText(
          """
          step "App 2" { stage "copy" { \(words) } }
          step "App 3" {
            stage "copy" { rename { entity = "Item", attributes = { size = "length" } } }
          }
          """), store: "App.sqlite")
    }

    @discardableResult
    func run(_ plan: Plan) async throws -> RunSummary {
      try await Run(plan, store: store).execute()
    }
  }

  @Test("a preflight lists them all, each with what would settle it")
  func preflight() throws {
    let sample = try Sample()
    let plan = try sample.plan()
    let found = try plan.preflight(of: Store(sample.store), limit: 100)
    let failures = try #require(found.last).result.failures
    #expect(
      failures.map { "\($0.entity) \($0.key) \($0.property), \($0.rule)" }
        == [2, 4, 5].map {
          "Item \($0) size, must become a value of the type Integer 16"
        })
    #expect(found.errors == 3)
    let kind = try #require(found.last?.result.kinds.first { $0.count.errors > 0 })
    #expect(
      kind.remedies == [
        "stage \"transform\" { entity = \"Item\", script = \"item.lua\" } -- attributes = "
          + "{ size = function(size) return tonumber(size) end }"
      ])
    let text = TextPreflightReport(found, plan, width: 100, style: Style(isOn: false)).text
    #expect(text.contains("Item 2") && text.contains("must become a value of the type Integer 16"))
  }

  @Test("a preflight says where a script of a step before gives the values that are converted")
  func scriptedBefore() throws {
    let item = { (type: String, more: String) in
      "<entity name=\"Item\"><attribute name=\"size\" optional=\"YES\" attributeType=\"\(type)\"/>"
        + "\(more)</entity>"
    }
    let more = "<attribute name=\"more\" optional=\"YES\" attributeType=\"String\"/>"
    let versions = [item("String", ""), item("String", more), item("Integer 16", more)]
    let folder = try PlanFolder.models(versions)
    try SampleStore.make(
      of: try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App"),
      at: folder.path("App.sqlite"))
    let remark = "so only a run or a dry run shows which values cannot be converted"
    for (script, reason) in [
      (
        "attributes = { size = function(size) return size end }",
        "a step on the way makes the values"
      ),
      ("create = function(item, new) return new.Item(item) end", "a script makes the objects"),
    ] {
      try folder.write("return { \(script) }", to: "item.lua")
      let plan = try folder.plan(
        """
        pipeline "App" { format = 1, models = "App.xcdatamodeld", target = "App 3" }
        step "App 2" {
          stage "copy" {}, stage "transform" { entity = "Item", script = "item.lua" },
        }
        step "App 3" { stage "copy" { \(Sample.converting) } }
        """, store: "App.sqlite")
      let found = try plan.preflight(of: Store(folder.path("App.sqlite")), limit: 100)
      #expect(found.last?.result.unchecked.first == "Item.size: \(reason), \(remark)")
    }
  }

  @Test(
    "where a script changes objects that are there they are counted, and where it makes them not",
    arguments: [
      (
        "relate = function(object) end", 3,
        ["Item: a script decides", "relationships: a script may make links"]
      ),
      (
        #"creates = { "Item" }, create = function(item, new) return new.Item(item) end"#, 0,
        [
          "Item.size: a script makes the objects, so only a run or a dry run shows which values "
            + "cannot be converted",
          "Item: not counted, made by a script", "relationships: a script may make links",
        ]
      ),
    ])
  func scripted(hooks: String, count: Int, remarks: [String]) throws {
    let sample = try Sample()
    try sample.folder.write("return { \(hooks) }", to: "item.lua")
    let text = PlanFolder.appText(
      """
      stage "copy" { \(Sample.converting) }
      stage "transform" { entity = "Item", script = "item.lua" }
      """, header: "target = \"App 2\"")
    let plan = try sample.folder.plan(text, store: "App.sqlite")
    let found = try plan.preflight(of: Store(sample.store), limit: 100)
    #expect(plan.problems.isEmpty)
    #expect(found.errors == count)
    #expect(found.last?.result.unchecked == remarks)
  }

  @Test("a limit shortens the list, and all are counted")
  func limit() throws {
    let sample = try Sample()
    let found = try sample.plan().preflight(of: Store(sample.store), limit: 1)
    #expect(found.last?.result.failures.map(\.key) == [2])
    #expect(found.errors == 3)
  }

  @Test("they are found where a chain begins, through all of its steps")
  func chain() throws {
    let sample = try Sample()
    let found = try sample.chain().preflight(of: Store(sample.store), limit: 100)
    #expect(found.map(\.version) == ["App 2", "App 3"])
    #expect(found.map { $0.result.failures.map(\.key) } == [[2, 4, 5], []])
    #expect(found.first?.result.failures.first?.entity == "Item")
  }

  @Test("objects that a condition leaves out are not among them")
  func condition() throws {
    let sample = try Sample()
    let words = "\(Sample.converting), where { entity = \"Item\", \"size != 'large'\" }"
    let found = try sample.plan(words).preflight(of: Store(sample.store), limit: 100)
    #expect(found.last?.result.failures.map(\.key) == [4, 5])
  }

  @Test("once the file is corrected a run that ended at one starts over by itself, and says so")
  func corrected() async throws {
    let sample = try Sample()
    let bytes = try Data(contentsOf: URL(filePath: sample.store))
    for _ in 0..<2 {
      let error = await #expect(throws: Failure.self) { try await sample.run(sample.plan()) }
      #expect(error?.what == "cannot convert a value")
      #expect(try Data(contentsOf: URL(filePath: sample.store)) == bytes)
    }
    let corrected =
      "map { entity = \"Item\", attributes = { size = 1 } }, accept_loss = \"*\""
    let summary = try await sample.run(sample.plan(corrected))
    #expect(summary.outcome == .swapped)
    #expect(
      summary.warnings.contains {
        $0.contains("the pipeline has changed since a value that could not be converted")
          && $0.contains("Z_PK 2") && $0.contains("starts over")
      }, "\(summary.warnings)")
    #expect(try StoreRows.read("SELECT DISTINCT ZSIZE FROM ZITEM", at: sample.store) == ["1"])
  }

  @Test("once the objects are corrected in the store it starts over as well")
  func correctedStore() async throws {
    let sample = try Sample()
    await #expect(throws: Failure.self) { try await sample.run(sample.plan()) }
    try SampleStore.change(
      sample.store, by: "UPDATE ZITEM SET ZSIZE = '7', Z_OPT = Z_OPT + 1")
    let summary = try await sample.run(sample.plan())
    #expect(summary.outcome == .swapped)
    #expect(
      summary.warnings.contains {
        $0.contains("the store has changed since a value that could not be converted")
          && $0.contains("starts over")
      }, "\(summary.warnings)")
    #expect(try StoreRows.read("SELECT DISTINCT ZSIZE FROM ZITEM", at: sample.store) == ["7"])
  }

  @Test("a script that converts the values is a correction, too, in a chain as well")
  func script() async throws {
    let sample = try Sample()
    await #expect(throws: Failure.self) { try await sample.run(sample.chain()) }
    try sample.folder.write(
      "return { attributes = { size = function(size) return math.tointeger(tonumber(size)) end } }",
      to: "item.lua")
    let text = try String(contentsOfFile: sample.folder.path("notes.pipeline"), encoding: .utf8)
    let plan = try sample.folder.plan(
      text.replacing(
        "stage \"copy\" { \(Sample.converting) }",
        with: """
          stage "transform" { entity = "Item", script = "item.lua", on_error = "reject" }
          """), store: "App.sqlite")
    let summary = try await sample.run(plan)
    #expect(summary.outcome == .swapped)
    #expect(summary.warnings.contains { $0.contains("starts over") })
    #expect(
      try StoreRows.read("SELECT Z_PK, ZLENGTH FROM ZITEM ORDER BY 1", at: sample.store)
        == ["1|5", "2|NULL", "3|NULL", "5|7"])
  }

  @Test("where a model has changed as well, the user decides")
  func model() async throws {
    let sample = try Sample()
    await #expect(throws: Failure.self) { try await sample.run(sample.plan()) }
    let contents = "App.xcdatamodeld/App 2.xcdatamodel/contents"
    let text = try String(contentsOfFile: sample.folder.path(contents), encoding: .utf8)
    try sample.folder.write(
      text.replacing(
        "</entity>",
        with: "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/></entity>"),
      to: contents)
    let error = await #expect(throws: Failure.self) { try await sample.run(sample.plan()) }
    #expect(error?.what == "cannot resume the run")
    #expect(error?.why.contains("models") == true && error?.remedy.contains("restart") == true)
  }
}

@Suite("Values at the edge of their new type", .temporaryFolder)
struct RoundedValuesRunTests {
  @Test(
    "a verification expects what the column makes of a value, and lost digits are counted",
    arguments: [
      ("String", "Double", "'-0'", Value.real(0), 0), ("String", "Float", "'-1e-50'", .real(0), 0),
      ("Integer 64", "Double", "9007199254740993", .real(9_007_199_254_740_992), 0),
      ("Integer 64", "Date", "9223372036854775807", .integer(.max), 0),
      ("Double", "Float", "-1e-50", .real(0), 0),
      ("String", "Decimal", "'9007199254740993.0'", .integer(9_007_199_254_740_993), 0),
      ("String", "Decimal", "'9007199254740993e2'", .integer(900_719_925_474_099_300), 0),
      ("String", "Decimal", "'0.12345678901234567890'", .real(0.123_456_789_012_345_678_90), 1),
      ("String", "Decimal", "'123456789012345678901'", .real(1.234_567_890_123_456_789_01e20), 1),
    ])
  func rounded(
    from: String, to: String, value: String, stored: Value, lost: Int
  ) async throws {
    func item(_ type: String) -> String {
      """
      <entity name="Item"><attribute name="size" optional="YES" attributeType="\(type)"/></entity>
      """
    }
    let folder = try PlanFolder.models([item(from), item(to)])
    let store = folder.path("App.sqlite")
    try SampleStore.make(
      of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"), at: store,
      adding: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, \(value));
        UPDATE Z_PRIMARYKEY SET Z_MAX = 1
        """)
    let text = PlanFolder.appText(
      """
      stage "copy" {
        map { entity = "Item", attributes = { size = convert("size", "\(to)") } },
      }
      stage "verify" {}
      """)
    let summary = try await Run(folder.plan(text, store: "App.sqlite"), store: store).execute()
    #expect(summary.outcome == .swapped && summary.status == 0)
    let warnings = summary.warnings.filter { $0.contains("lost digits") }
    #expect(warnings == (lost == 0 ? [] : ["Item.size: 1 decimal lost digits"]))
    let made = try Connection(path: store, mode: .foreign)
    #expect(try made.rows("SELECT ZSIZE FROM ZITEM") == [[stored]])
    try made.close()
  }
}
