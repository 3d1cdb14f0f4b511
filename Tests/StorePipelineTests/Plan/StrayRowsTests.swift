import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Rows that name no entity", .temporaryFolder)
struct StrayRowsTests {
  /// An entity with a table of its own, a family that shares one, and an entity that leads to both.
  private static func model(_ alone: String, _ family: String = "") -> String {
    """
    <entity name="Alone"><attribute name="t" optional="YES" attributeType="String"/>\(alone)
      <relationship name="links" optional="YES" toMany="YES" destinationEntity="Link"
        inverseName="alone" inverseEntity="Link"/></entity>
    <entity name="Base"><attribute name="t" optional="YES" attributeType="String"/>\(family)
      <relationship name="links" optional="YES" toMany="YES" destinationEntity="Link"
        inverseName="base" inverseEntity="Link"/></entity>
    <entity name="Sub" parentEntity="Base"/>
    <entity name="Link"><attribute name="t" optional="YES" attributeType="String"/>\(alone)
      <relationship name="alone" optional="YES" maxCount="1" destinationEntity="Alone"
        inverseName="links" inverseEntity="Alone"/>
      <relationship name="base" optional="YES" maxCount="1" destinationEntity="Base"
        inverseName="links" inverseEntity="Base"/></entity>
    """
  }

  private static let new = #"<attribute name="n" optional="YES" attributeType="Integer 64"/>"#

  private struct Sample {
    let folder: PlanFolder
    let text: String

    init(_ after: String, _ copy: String, adding sql: String = "", script: String? = nil) throws {
      folder = try PlanFolder.models([StrayRowsTests.model(""), after])
      if let script { try folder.write(script, to: "s.lua") }
      text = PlanFolder.appText(copy)
        .replacing("stage \"validate\" {}", with: "stage \"validate\" {} stage \"verify\" {}")
      let model = try ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App")
      try SampleStore.make(
        of: model, at: folder.path("App.sqlite"), adding: StrayRowsTests.rows(model) + sql)
    }

    func plan(_ losses: [String] = []) throws -> Plan {
      try folder.plan(text, store: "App.sqlite", PlanSettings(acceptedLosses: losses))
    }

    func rows(_ sql: String) throws -> [String] {
      try StoreRows.read(sql, at: folder.path("App.sqlite"))
    }
  }

  /// Three of the four rows of `Alone` name no entity, each in another way.
  private static func rows(_ model: Model) throws -> String {
    let schema = try StoreSchema(of: model)
    func number(_ name: String) -> Int { schema.entity(named: name)?.number ?? 0 }
    let (base, sub, link) = (number("Base"), number("Sub"), number("Link"))
    return """
      INSERT INTO ZALONE (Z_PK, Z_ENT, Z_OPT, ZT) VALUES (1, \(number("Alone")), 1, 'a'),
        (2, NULL, 1, 'b'), (3, 99, 1, 'c'), (4, 'x', 1, 'd');
      INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZT) VALUES (1, \(base), 1, 'a'), (2, \(sub), 1, 'b');
      INSERT INTO ZLINK (Z_PK, Z_ENT, Z_OPT, ZT, ZALONE, ZBASE, Z\(base)_BASE)
        VALUES (1, \(link), 1, 'l', 2, 1, \(base)), (2, \(link), 1, 'm', 3, 2, \(sub)),
        (3, NULL, 1, 'n', 4, 1, \(base));
      UPDATE Z_PRIMARYKEY SET Z_MAX = 9;
      """
  }

  /// The ways in which objects travel.
  static let ways: [(after: String, copy: String, script: String?)] = [
    (model("", new), #"stage "copy" { start = "clone" }"#, nil),
    (model("", new), #"stage "copy" { start = "empty" }"#, nil),
    (model(new, new), #"stage "copy" {}"#, nil),
    (
      model(new), #"stage "copy" {} stage "transform" { entity = "Alone", script = "s.lua" }"#,
      "return { attributes = { t = function(t) return t end } }"
    ),
    (
      model(new),
      """
      stage "copy" {} stage "transform" { entity = "Alone", script = "s.lua" } stage "connect" {}
      """,
      """
      return { create = function(source, new, ctx)
        local made = new.Alone {}
        made.t = source.t
      end }
      """
    ),
  ]

  @Test(
    "in a table of one entity they are its objects, in whatever way they travel",
    arguments: ways.indices)
  func carried(way: Int) async throws {
    let (after, copy, script) = Self.ways[way]
    let sample = try Sample(after, copy, script: script)
    let before = try Data(contentsOf: URL(filePath: sample.folder.path("App.sqlite")))
    let plan = try sample.plan()
    #expect(plan.problems.isEmpty)
    let alone = plan.steps[0].entities.first { $0.source == "Alone" }
    #expect(alone?.rows == 4)
    #expect(plan.warnings.contains { $0.hasPrefix("ZALONE: 3 of its rows have another Z_ENT") })
    let store = sample.folder.path("App.sqlite")
    let summary = try await Run(plan, store: store).execute()
    #expect(summary.outcome == .swapped)
    #expect(try sample.rows("SELECT ZT FROM ZALONE ORDER BY ZT") == ["a", "b", "c", "d"])
    #expect(try sample.rows("SELECT count(DISTINCT Z_ENT), count(Z_ENT) FROM ZALONE") == ["1|4"])
    #expect(
      try sample.rows(
        "SELECT l.ZT, a.ZT FROM ZLINK AS l JOIN ZALONE AS a ON a.Z_PK = l.ZALONE ORDER BY 1")
        == ["l|b", "m|c", "n|d"])
    let verified = try await StoreVerification(store: store).run()
    #expect(verified.count == 0)
    // What comes back is the store as it was, its rows included.
    let backup = try #require(summary.backup)
    #expect(try Data(contentsOf: URL(filePath: "\(backup)/App.sqlite")) == before)
  }

  @Test("a dry run, a sample and a comparison count them as well")
  func counted() async throws {
    let sample = try Sample(Self.model(Self.new, Self.new), #"stage "copy" {}"#)
    let store = sample.folder.path("App.sqlite")
    for count in [nil, 10] {
      var options = RunOptions()
      options.dryRun = DryRun(sample: count)
      let findings = try await Run(sample.plan(), store: store, options: options).findings()
      #expect(findings.report?.losses?.lost == 0)
      #expect(findings.report?.losses?.values == 9 + 6)
    }
    let copy = sample.folder.path("Copy.sqlite")
    try FileManager.default.copyItem(atPath: store, toPath: copy)
    let other = try Store(copy)
    let model = try ModelLibrary([sample.folder.path("App.xcdatamodeld")]).model(named: "App")
    let difference = try StoreComparison(
      ComparedStore(try Store(store), model: model), ComparedStore(other, model: model)
    ).run()
    let alone = difference.entities.first { $0.name == "Alone" }
    #expect(alone?.kept == 4)
  }

  private static let stray = """
    INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZT) VALUES (3, NULL, 1, 'x'), (4, 77, 1, 'y');
    UPDATE ZLINK SET ZBASE = 4 WHERE Z_PK = 3;
    """

  @Test("in a table of several they are refused by the plan, unless they are given up by name")
  func refused() async throws {
    let sample = try Sample(Self.model("", Self.new), #"stage "copy" {}"#, adding: Self.stray)
    let problems = try sample.plan().problems.map(\.message)
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("Base.Z_ENT: 2 rows name no entity in Z_ENT") == true)
    #expect(problems.first?.contains("--accept-loss Base.Z_ENT") == true)
    for name in ["Base.Z_ENT", "Base.*", "*"] {
      #expect(try sample.plan([name]).problems.isEmpty)
    }
    let store = sample.folder.path("App.sqlite")
    let summary = try await Run(sample.plan(["Base.Z_ENT"]), store: store).execute()
    #expect(summary.outcome == .swapped)
    #expect(try sample.rows("SELECT Z_PK, ZT FROM ZBASE ORDER BY 1") == ["1|a", "2|b"])
    // A link that led to no object stays as it was, as Core Data leaves it.
    #expect(try sample.rows("SELECT ZBASE FROM ZLINK ORDER BY Z_PK") == ["1", "2", "4"])
    #expect(try await StoreVerification(store: store).run().count == 0)
  }

  @Test("the file gives them up by name, too")
  func named() throws {
    let accepted = #"stage "copy" { accept_loss = "Base.Z_ENT" }"#
    let sample = try Sample(Self.model("", Self.new), accepted, adding: Self.stray)
    #expect(try sample.plan().problems.isEmpty)
  }

  @Test("they are given up for a table, not for an entity that shares its parent's")
  func misnamed() throws {
    let wrong = #"stage "copy" { accept_loss = { "Base.Z_ENT", "Sub.Z_ENT" } }"#
    let other = try Sample(Self.model("", Self.new), wrong, adding: Self.stray)
    #expect(try other.plan().problems.map(\.line) == [3])
  }

  @Test("another number in Z_PRIMARYKEY brings no warning that objects are left behind")
  func renumbered() async throws {
    let sample = try Sample(
      Self.model("", Self.new), #"stage "copy" {}"#,
      adding: """
        UPDATE Z_PRIMARYKEY SET Z_ENT = 40 WHERE Z_NAME = 'Alone';
        UPDATE Z_PRIMARYKEY SET Z_ENT = 41 WHERE Z_NAME = 'Sub';
        UPDATE ZALONE SET Z_ENT = 1
        """)
    let plan = try sample.plan()
    #expect(plan.problems.isEmpty && plan.steps[0].entities.allSatisfy { $0.rows != 0 })
    #expect(!plan.warnings.contains { $0.contains("behind") || $0.contains("not in the model") })
    #expect(!plan.warnings.contains { $0.hasPrefix("ZALONE") || $0.hasPrefix("ZBASE") })
    let store = sample.folder.path("App.sqlite")
    #expect(try await Run(plan, store: store).execute().outcome == .swapped)
    #expect(try sample.rows("SELECT count(*) FROM ZALONE") == ["4"])
    #expect(try sample.rows("SELECT count(*) FROM ZBASE") == ["2"])
  }
}
