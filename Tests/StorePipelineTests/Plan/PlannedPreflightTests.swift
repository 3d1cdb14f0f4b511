import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Objects that will fail, before a run", .temporaryFolder)
struct PlannedPreflightTests {
  private func run(_ plan: Plan, _ options: RunOptions = RunOptions()) async throws -> RunSummary {
    let store = TemporaryFolder.url.appending(path: "App.sqlite").path
    return try await Run(plan, store: store, options: options).execute()
  }

  /// The rules of values are no part of a version's hash, so that something else has to differ.
  private static func item(_ rule: String, _ more: String = "") -> String {
    """
    <entity name="Item"><attribute name="rank" optional="YES" attributeType="Integer 16" \(rule)/>
    \(more)</entity>
    """
  }

  /// A plan for a store of four items, of which two have too low a rank for the next version.
  private func plan(validates: Bool = true) throws -> Plan {
    let folder = try PlanFolder.models([
      Self.item(""),
      Self.item(
        "minValueString=\"1\"",
        "<attribute name=\"more\" optional=\"YES\" attributeType=\"String\"/>"),
    ])
    try SampleStore.make(
      of: try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App"),
      at: folder.path("App.sqlite"),
      adding: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZRANK) VALUES (1, 1, 1, 5), (2, 1, 1, NULL),
          (3, 1, 1, 0), (4, 1, 1, -1);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 4;
        """)
    let text = PlanFolder.appText("stage \"copy\" {}", header: "target = \"App 2\"")
    return try folder.plan(
      validates ? text : text.replacing("stage \"validate\" {}", with: ""), store: "App.sqlite")
  }

  @Test("they are reported before anything is written, each kind with what would settle it")
  func refused() async throws {
    let plan = try plan()
    let store = TemporaryFolder.url.appending(path: "App.sqlite")
    let bytes = try Data(contentsOf: store)
    let summary = try await run(plan)
    #expect(summary.outcome == .invalid)
    #expect(summary.status == 1)
    #expect(summary.failureCount == 2)
    #expect(
      summary.failures.map { "\($0.entity) \($0.key) \($0.property)" } == [
        "Item 3 rank", "Item 4 rank",
      ])
    #expect(summary.remedies.map(\.count) == [2])
    #expect(summary.remedies.allSatisfy { !$0.lines.isEmpty })
    #expect(try Data(contentsOf: store) == bytes)
    #expect(!FileManager.default.fileExists(atPath: store.path + ".pipeline"))
  }

  @Test("the summary has the lines, as text and as JSON")
  func told() async throws {
    let summary = try await run(try plan())
    let text = TextRunSummary(summary, width: 200).text
    #expect(text.contains("Nothing was written. What would settle it, each line by itself\n"))
    #expect(text.contains("\n  Item rank, at least 1: 2 objects\n    "))
    #expect(JSONRunSummary(summary).text.contains("\"remedies\": [\n"))
  }

  @Test("a condition is offered only for what the objects' entity has in the step's source")
  func inheritedLink() throws {
    func link(_ more: String) -> String {
      "<relationship name=\"box\" maxCount=\"1\" destinationEntity=\"Box\" \(more)/>"
    }
    func version(_ parent: String, _ child: String) -> String {
      """
      <entity name="Note" isAbstract="YES">\(parent)</entity>
      <entity name="Memo" parentEntity="Note">\(child)</entity>
      <entity name="Plan" parentEntity="Note"/><entity name="Box"/>
      """
    }
    let folder = try PlanFolder.models([
      version("", link("optional=\"YES\"")), version(link("minCount=\"1\""), ""),
    ])
    try SampleStore.make(
      of: try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App"),
      at: folder.path("App.sqlite"),
      adding: """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT)
        SELECT Z_ENT, Z_ENT, 1 FROM Z_PRIMARYKEY WHERE Z_NAME IN ('Memo', 'Plan');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Note';
        """)
    let text = PlanFolder.appText("stage \"copy\" {}", header: "target = \"App 2\"")
    let plan = try folder.plan(text, store: "App.sqlite")
    let found = try plan.preflight(of: Store(folder.path("App.sqlite")), limit: 10)
    let kinds = try #require(found.first?.result.kinds)
    #expect(kinds.map(\.count.entity).sorted() == ["Memo", "Plan"])
    for kind in kinds {
      let condition = "where { entity = \"Memo\", \"box IS NOT NULL\" }"
      #expect(kind.remedies.contains(condition) == (kind.count.entity == "Memo"))
      #expect(kind.remedies.contains { $0.hasPrefix("where ") } == (kind.count.entity == "Memo"))
    }
  }

  @Test("what a stage of the step changes afterwards is left to it")
  func revised() async throws {
    let name = "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>"
    let unique = """
      <uniquenessConstraints><uniquenessConstraint><constraint value="name"/>
      </uniquenessConstraint></uniquenessConstraints>
      """
    let folder = try PlanFolder.models([
      "<entity name=\"Tag\">\(name)</entity>", "<entity name=\"Tag\">\(name)\(unique)</entity>",
    ])
    try SampleStore.make(
      of: try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App"),
      at: folder.path("App.sqlite"),
      adding: """
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'a');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2;
        """)
    let header = "target = \"App 2\""
    let plain = try folder.plan(
      PlanFolder.appText("stage \"copy\" {}", header: header), store: "App.sqlite")
    #expect(try await run(plain).outcome == .invalid)
    let stages = "stage \"copy\" {} stage \"dedupe\" { entity = \"Tag\", key = \"name\" }"
    let merging = try folder.plan(
      PlanFolder.appText(stages, header: header), store: "App.sqlite")
    let look = try merging.preflight(of: Store(folder.path("App.sqlite")), limit: 9)
    let unchecked = try #require(look.first?.result.unchecked)
    #expect(unchecked.contains("what dedupe may change: Tag"))
    let before = "Tag name, unique name: 2 objects before the stages, which may change that"
    #expect(unchecked.contains(before), "\(unchecked)")
    #expect(look.errors == 0)
    #expect(try await run(merging).outcome == .swapped)
  }

  @Test("what broke the rule already is left to the run's own validation")
  func old() async throws {
    let sample = try RunSample(adding: "UPDATE ZNOTE SET ZCREATED = NULL WHERE Z_PK = 1;")
    let summary = try await sample.run()
    #expect(summary.outcome == .swapped)
    #expect(summary.remedies.isEmpty)
  }

  @Test("a pipeline that does not validate is not held up, but warned of them")
  func withoutValidation() async throws {
    let summary = try await run(try plan(validates: false))
    #expect(summary.outcome == .swapped)
    #expect(
      summary.warnings.contains(
        "Item.rank: 2 objects will break the rule \"at least 1\", and the pipeline does not "
          + "validate"))
  }

  @Test("values that must be unique are refused at once by any pipeline, as they would be later")
  func unique() async throws {
    let title = #"<attribute name="t" optional="YES" attributeType="String"/>"#
    let folder = try PlanFolder.models([
      "<entity name=\"A\">\(title)</entity>",
      """
      <entity name="A">\(title)<uniquenessConstraints><uniquenessConstraint>
      <constraint value="t"/></uniquenessConstraint></uniquenessConstraints></entity>
      """,
    ])
    try SampleStore.make(
      of: try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App"),
      at: folder.path("App.sqlite"),
      adding: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT) VALUES (1, 1, 1, 'x'), (2, 1, 1, 'x')")
    let plan = try folder.plan(
      PlanFolder.appText("stage \"copy\" {}", header: "target = \"App 2\"")
        .replacing("stage \"validate\" {}", with: ""), store: "App.sqlite")
    let summary = try await run(plan)
    #expect(summary.outcome == .invalid)
    #expect(summary.failures.map(\.key) == [1, 2])
    #expect(!FileManager.default.fileExists(atPath: folder.path("App.sqlite.pipeline")))
  }

  private static func text(_ name: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\" \(more)/>"
  }

  private static func longest(_ length: Int) -> String { "maxValueString=\"\(length)\"" }

  /// Three versions: names change on the way, and the last has a rule that two of four break.
  private func chain(_ steps: String) throws -> (folder: PlanFolder, plan: Plan) {
    let folder = try PlanFolder.models([
      "<entity name=\"A\">\(Self.text("title"))\(Self.text("more"))</entity>",
      "<entity name=\"B\">\(Self.text("title", Self.longest(5)))\(Self.text("more"))</entity>",
      "<entity name=\"B\">\(Self.text("name", Self.longest(3)))\(Self.text("more"))</entity>",
    ])
    try SampleStore.make(
      of: try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App"),
      at: folder.path("App.sqlite"),
      adding: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZMORE) VALUES (1, 1, 1, 'a', NULL),
          (2, 1, 1, 'four', 'x'), (3, 1, 1, 'longer', 'y'), (4, 1, 1, NULL, NULL)
        """)
    return (folder, try folder.plan(PlanFolder.appText(steps), store: "App.sqlite"))
  }

  private static let renaming = """
    step "App 2" { stage "copy" { rename { entity = "A", to = "B" } } }
    step "App 3" { stage "copy" { rename { entity = "B", attributes = { title = "name" } } } }
    """

  @Test("of a chain the last version is seen through all steps, and the first with it")
  func chained() throws {
    let (folder, plan) = try chain(Self.renaming)
    let found = try plan.preflight(of: Store(folder.path("App.sqlite")), limit: 10)
    #expect(found.map(\.version) == ["App 2", "App 3"])
    #expect(found.map { $0.result.failures.map(\.key) } == [[3], [2, 3]])
    #expect(found.flatMap(\.result.failures).allSatisfy { $0.entity == "A" })
    #expect(found.errors == 2)
    let text = TextPreflightReport(found, plan, width: 100, style: Style(isOn: false)).text
    #expect(text.hasPrefix("Failures under the rules of App 2, on the way: 1\n"))
    #expect(text.contains("\nFailures under the rules of App 3, seen through 2 steps: 2\n"))
    #expect(text.contains("\nWhat would settle it in the step App 3, each line by itself\n"))
  }

  @Test("values that a step cannot convert are found once, under that step", arguments: 2...4)
  func converted(version: Int) throws {
    let (text, number) = ("String", "Integer 16")
    let folder = try PlanFolder.models(
      (1...4).map { place in
        "<entity name=\"A\"><attribute name=\"size\" optional=\"YES\" attributeType="
          + "\"\(place < version ? text : number)\"/>"
          + "<attribute name=\"a\(place)\" optional=\"YES\" attributeType=\"String\"/></entity>"
      })
    try SampleStore.make(
      of: try ModelFile(folder.path("App.xcdatamodeld")).model(named: "App"),
      at: folder.path("App.sqlite"),
      adding: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, '7'), (2, 1, 1, 'big')")
    let steps = (2...4).map { place in
      let convert =
        "map { entity = \"A\", attributes = { size = convert(\"size\", \"\(number)\") } }"
      let drop = "drop { \"A.a\(place - 1)\" }"
      let words = place == version ? "\(convert), \(drop)" : drop
      return "step \"App \(place)\" { stage \"copy\" { \(words) } }"
    }
    let plan = try folder.plan(PlanFolder.appText(steps.joined()), store: "App.sqlite")
    #expect(plan.problems == [])
    let found = try plan.preflight(of: Store(folder.path("App.sqlite")), limit: 10)
    #expect(found.errors == 1)
    let places = found.flatMap { part in part.result.failures.map { "\(part.version) \($0.key)" } }
    #expect(places == ["App \(version) 2"])
  }

  @Test("objects that a step leaves out break nothing after it")
  func leftOut() throws {
    let (folder, plan) = try chain(
      Self.renaming.replacing(
        "to = \"B\" }", with: "to = \"B\" }, where { entity = \"A\", \"more IS NOT NULL\" }"
      )
      .replacing(
        "\"name\" } }", with: "\"name\" } }, where { entity = \"B\", \"more = 'y'\" }"))
    let found = try plan.preflight(of: Store(folder.path("App.sqlite")), limit: 10)
    #expect(found.map { $0.result.failures.map(\.key) } == [[3], [3]])
  }

  @Test("what a script makes on the way is not reported, before it or behind it")
  func scripted() throws {
    for step in ["App 2", "App 3"] {
      let stage =
        "stage \"transform\" { entity = \"\(step == "App 2" ? "A" : "B")\", script = \"s.lua\" }, "
      let folder = PlanFolder()
      try folder.write(
        "return { attributes = { \(step == "App 2" ? "title" : "name") = function(title) "
          + "return title end } }", to: "s.lua")
      let steps = Self.renaming.replacing("\(step)\" { stage", with: "\(step)\" { \(stage)stage")
      let (_, plan) = try chain(steps)
      #expect(plan.problems.isEmpty, "\(plan.problems)")
      let found = try plan.preflight(of: Store(folder.path("App.sqlite")), limit: 10)
      #expect(found.last?.result.failures.isEmpty == true, "\(step)")
      try FileManager.default.removeItem(atPath: folder.path("App.sqlite"))
    }
  }
}
