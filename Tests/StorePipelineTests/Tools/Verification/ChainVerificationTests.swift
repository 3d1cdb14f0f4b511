import CoreDataStore
import Foundation
import SQLite
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Verification of a chain, and of large values", .temporaryFolder)
struct ChainVerificationTests {
  private static let picture = "0F8FAD5B-D9CB-469F-A165-70867728950E"
  private static let stages = StageRegistry.standard.with(PauseStage.self)

  private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)" \#(more)/>"#
  }

  /// Four versions: a name changes, a script computes, an attribute comes; in all of them a large
  /// value in the row and one in a file.
  private static let versions: [String] = {
    let large =
      attribute("film", "Binary")
      + attribute("sound", "Binary", #"allowsExternalBinaryDataStorage="YES""#)
    let link = """
      <relationship name="to" optional="YES" maxCount="1" destinationEntity="A"
      inverseName="from" inverseEntity="A"/>
      <relationship name="from" optional="YES" toMany="YES" destinationEntity="A"
      inverseName="to" inverseEntity="A"/>
      """
    return [
      attribute("title", "String"), attribute("name", "String"),
      attribute("name", "String") + attribute("size", "Integer 16"),
      attribute("name", "String") + attribute("size", "Integer 16") + attribute("more", "String"),
    ].map { #"<entity name="A">\#($0)\#(large)\#(link)</entity>"# }
  }()

  private static let steps = """
    step "App 2" { stage "copy" { rename { entity = "A", attributes = { title = "name" } } } }
    step "App 3" { stage "transform" { entity = "A", script = "a.lua", on_error = "reject" } }
    step "App 4" { stage "transform" { entity = "A", script = "b.lua", on_error = "reject" } }
    stage "pause" {}
    """

  /// What is needed to look at one chain.
  private struct Sample {
    let folder: PlanFolder
    var store: String { folder.path("App.sqlite") }

    /// The scripts compute by these expressions of the name.
    init(size: String = "#name", more: String = "name .. '!'") throws {
      folder = try PlanFolder.models(versions)
      let reference = "02" + picture.utf8.map { String($0, radix: 16) }.joined() + "00"
      try SampleStore.make(
        of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"), at: store,
        adding: """
          INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZFILM, ZSOUND, ZTO) VALUES
            (1, 1, 1, 'one', randomblob(30000), x'\(reference)', 2),
            (2, 1, 1, 'two', zeroblob(20000), CAST(x'01' || zeroblob(9000) AS BLOB), 1),
            (3, 1, 1, 'three', NULL, NULL, NULL);
          UPDATE Z_PRIMARYKEY SET Z_MAX = 3
          """)
      try folder.write("picture", to: ".App_SUPPORT/_EXTERNAL_DATA/\(picture)")
      try write(size: size, more: more)
    }

    func write(size: String = "#name", more: String = "name .. '!'") throws {
      for (file, attribute, value) in [("a.lua", "size", size), ("b.lua", "more", more)] {
        try folder.write(
          "return { attributes = { \(attribute) = function(name) return \(value) end } }", to: file)
      }
    }

    @discardableResult
    func run(until: String? = nil) async throws -> RunSummary {
      let text = PlanFolder.appText(steps).replacing(
        "stage \"swap\" {}", with: "stage \"verify\" {}\nstage \"swap\" {}")
      try folder.write(text, to: "chain.pipeline")
      let pipeline = try PipelineFile(path: folder.path("chain.pipeline")).pipeline(stages: stages)
      let plan = try Planner(pipeline: pipeline, stages: stages).plan(store: Store(store))
      #expect(plan.steps.count == 3, "\(plan.problems)")
      return try await Run(plan, store: store, options: RunOptions(until: until), stages: stages)
        .execute()
    }

    func verify() async throws -> VerificationSummary {
      try await StoreVerification(store: store, stages: stages).run()
    }

    func rows(_ sql: String) throws -> [String] { try StoreRows.read(sql, at: store) }
  }

  @Test("a store that went through three steps at once is what its backup makes")
  func whole() async throws {
    let sample = try Sample()
    #expect(try await sample.run().outcome == .swapped)
    #expect(
      try sample.rows("SELECT ZNAME, ZSIZE FROM ZA ORDER BY Z_PK") == ["one|3", "two|3", "three|5"])
    let summary = try await sample.verify()
    #expect(summary.count == 0)
    #expect((summary.source, summary.target) == ("App", "App 4"))
    #expect(summary.objects > 0)
  }

  /// A value with another byte, as SQL.
  private static func byte(_ byte: String, of column: String, at place: Int) -> String {
    "CAST(substr(\(column), 1, \(place - 1)) || x'\(byte)' || "
      + "substr(\(column), \(place + 1)) AS BLOB)"
  }

  static let planted = [
    ("UPDATE ZA SET ZNAME = 'zwei' WHERE Z_PK = 2", "A 2 name"),
    ("UPDATE ZA SET ZSIZE = 4 WHERE Z_PK = 3", "A 3 size"),
    ("UPDATE ZA SET ZTO = NULL WHERE Z_PK = 1", "A 1 to"),
    ("DELETE FROM ZA WHERE Z_PK = 3", "A 3 "),
    // One byte far behind, in the pages that a large value flows over into.
    ("UPDATE ZA SET ZFILM = \(byte("01", of: "ZFILM", at: 19_991)) WHERE Z_PK = 2", "A 2 film"),
    ("UPDATE ZA SET ZSOUND = \(byte("07", of: "ZSOUND", at: 8001)) WHERE Z_PK = 2", "A 2 sound"),
    ("UPDATE ZA SET ZSOUND = NULL WHERE Z_PK = 1", "A 1 sound"),
  ]

  @Test("what differs later is named, large values among it", arguments: planted)
  func later(sql: String, place: String) async throws {
    let sample = try Sample()
    try await sample.run()
    try SampleStore.change(sample.store, by: sql)
    let summary = try await sample.verify()
    #expect(summary.differences.map { "\($0.entity) \($0.key) \($0.property)" } == [place])
  }

  @Test("a large value in a file that is damaged or gone is named", arguments: ["pictur", ""])
  func file(content: String) async throws {
    let sample = try Sample()
    try await sample.run()
    let path = sample.folder.path(".App_SUPPORT/_EXTERNAL_DATA/\(Self.picture)")
    if content.isEmpty {
      try FileManager.default.removeItem(atPath: path)
    } else {
      try content.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let summary = try await sample.verify()
    #expect(summary.differences.map { "\($0.entity) \($0.key) \($0.property)" } == ["A 1 sound"])
    #expect(summary.count == 1)
  }

  @Test("the stage finds in the last step's store what is not as it should be", arguments: planted)
  func staged(sql: String, place: String) async throws {
    let sample = try Sample()
    #expect(try await sample.run(until: "pause").outcome == .stopped(after: "pause"))
    try SampleStore.change(sample.store + ".pipeline/run/next.sqlite", by: sql)
    let summary = try await sample.run()
    #expect(summary.outcome == .invalid)
    #expect(summary.failures.map { "\($0.entity) \($0.key) \($0.property)" }.contains(place))
  }

  @Test("where stages change objects in the last step, what it read may be an overlay")
  func revised() async throws {
    func label(_ more: String) -> String {
      "<entity name=\"Label\">\(Self.attribute("name", "String"))\(more)</entity>"
    }
    let size = Self.attribute("size", "Integer 16")
    let page = "<entity name=\"Page\">\(Self.attribute("text", "Binary"))</entity>"
    let folder = try PlanFolder.models([
      page + label(""), page + label(size), page + label(size + Self.attribute("more", "String")),
    ])
    let store = folder.path("App.sqlite")
    try SampleStore.make(
      of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"), at: store,
      adding: """
        INSERT INTO ZLABEL (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'a');
        INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 2, 1, zeroblob(100000));
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2
        """)
    let dedupe = #"stage "dedupe" { entity = "Label", key = "name" }"#
    let plan = try folder.plan(
      PlanFolder.appText(
        """
        step "App 2" { stage "copy" {} }
        step "App 3" { stage "copy" {}, \(dedupe) }
        """), store: "App.sqlite")
    #expect(plan.steps.first?.start.how == .overlay)
    #expect(try await Run(plan, store: store).execute().outcome == .swapped)
    #expect(try StoreRows.read("SELECT Z_PK FROM ZLABEL", at: store) == ["1"])
    let summary = try await StoreVerification(store: store).run()
    #expect(summary.count == 0 && summary.isComplete)
  }

  @Test("what the last step of a chain rejected is retried, made by all steps before it")
  func retried() async throws {
    let sample = try Sample(more: "name == 'two' and error('no') or name .. '!'")
    #expect(try await sample.run().outcome == .swapped)
    #expect(try sample.rows("SELECT ZMORE FROM ZA ORDER BY Z_PK") == ["one!", "three!"])
    try sample.write()
    let summary = try await RejectRetry(store: sample.store, stages: Self.stages).run()
    #expect(summary.outcome == .swapped)
    #expect(summary.entities.map { "\($0.name) \($0.made) \($0.failed)" } == ["A 1 0"])
    #expect(
      try sample.rows("SELECT Z_PK, ZNAME, ZSIZE, ZMORE, ZTO, length(ZFILM) FROM ZA ORDER BY Z_PK")
        == ["1|one|3|one!|2|30000", "2|two|3|two!|1|20000", "3|three|5|three!|NULL|NULL"])
    #expect(try await sample.verify().count == 0)
  }

  @Test(
    "what an earlier step rejected goes through the later ones, large values with it",
    arguments: ["one", "two"])
  func retriedEarly(name: String) async throws {
    let sample = try Sample(size: "name == '\(name)' and error('no') or #name")
    try await sample.run()
    #expect(try sample.rows("SELECT count(*) FROM ZA") == ["2"])
    try sample.write()
    let summary = try await RejectRetry(store: sample.store, stages: Self.stages).run()
    #expect(summary.outcome == .swapped && summary.left == 0)
    #expect(
      try sample.rows(
        "SELECT Z_PK, ZNAME, ZSIZE, ZMORE, length(ZFILM) FROM ZA ORDER BY Z_PK")
        == ["1|one|3|one!|30000", "2|two|3|two!|20000", "3|three|5|three!|NULL"])
    let path = sample.folder.path(".App_SUPPORT/_EXTERNAL_DATA/\(Self.picture)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "picture")
    #expect(try await sample.verify().count == 0)
  }
}
