import CoreDataStore
import Foundation
import SQLite
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

/// Items with pictures that a script brings into files, and what is changed in the new store before
/// that is verified.
@Suite("Verification of scripts", .temporaryFolder)
struct ScriptVerificationTests {
  private static let before = """
    <entity name="Item">
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="size" optional="YES" attributeType="Integer 32"/>
      <attribute name="image" optional="YES" attributeType="Binary"/>
    </entity>
    """

  private static let picture = """
    <attribute name="picture" optional="YES" attributeType="Binary"
      allowsExternalBinaryDataStorage="YES"/>
    <attribute name="data" optional="YES" attributeType="Binary"/>
    """

  private static let after = """
    <entity name="Item">
      <attribute name="title" optional="YES" attributeType="String"/>
      <attribute name="size" optional="YES" attributeType="Integer 32"/>
      <attribute name="half" optional="YES" attributeType="Double"/>
      \(picture)
      <relationship name="photo" optional="YES" maxCount="1" destinationEntity="Photo"
        inverseName="item" inverseEntity="Photo"/>
    </entity>
    <entity name="Photo">
      \(picture)
      <relationship name="item" optional="YES" maxCount="1" destinationEntity="Item"
        inverseName="photo" inverseEntity="Item"/>
    </entity>
    """

  /// Five items, the last of which the scripts leave out; two have a picture that needs a file, one
  /// has a smaller one.
  private static let rows = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSIZE, ZIMAGE) VALUES
      (1, 1, 1, 'lamp', 4, CAST(printf('%0150000d', 1) AS BLOB)),
      (2, 1, 1, 'chair', 7, CAST(printf('%0150000d', 2) AS BLOB)),
      (3, 1, 2, 'box', NULL, CAST(printf('%09000d', 3) AS BLOB)),
      (4, 1, 1, NULL, 9, NULL), (9, 1, 1, 'junk', 1, NULL);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 9;
    """

  /// A script that computes attributes of items, and one that makes them, each with a photo.
  private static let scripts = [
    """
    return { attributes = {
      title = function(name, ctx)
        if name == "junk" then ctx.skip("junk") end
        return name and name:upper()
      end,
      half = function(size) return size and size / 2 end,
      picture = function(image) return image end,
      data = function(image) return image end,
    } }
    """,
    """
    return {
      creates = { "Item", "Photo" },
      create = function(item, new, ctx)
        if item.name == "junk" then ctx.skip("junk") end
        local made = new.Item(item)
        made.title = item.name and item.name:upper()
        made.half = item.size and item.size / 2
        made.picture = item.image
        made.data = item.image
        if item.image then made.photo = new.Photo { data = item.image, picture = item.image } end
        return made
      end,
    }
    """,
  ]

  private static let drops = #"drop { "Item.name", "Item.image" }"#

  /// A store of items, and the plan that migrates it by a script.
  private func lay(
    _ script: String, _ pause: String = "", _ stages: StageRegistry = .standard
  ) throws -> (store: String, plan: Plan) {
    let folder = try PlanFolder.models([Self.before, Self.after])
    let store = folder.path("App.sqlite")
    try SampleStore.make(
      of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"), at: store,
      adding: Self.rows)
    try folder.write(script, to: "items.lua")
    let text = """
      pipeline "P" { format = 1, models = "App.xcdatamodeld", target = "App 2" }
      stage "detect" {} stage "open" {} stage "copy" { \(Self.drops) }
      stage "transform" { entity = "Item", script = "items.lua" }
      stage "connect" {} \(pause) stage "verify" {} stage "swap" {}
      """
    try folder.write(text, to: "a.pipeline")
    let file = try PipelineFile(path: folder.path("a.pipeline"))
    let planner = try Planner(pipeline: file.pipeline(stages: stages), stages: stages)
    return (store, try planner.plan(store: Store(store)))
  }

  /// Migrates items by a script up to the new store, lets the store be changed, and verifies it.
  private func verify(
    _ script: String, _ change: (_ next: Connection, _ files: String) throws -> Void = { _, _ in }
  ) async throws -> RunSummary {
    let stages = StageRegistry.standard.with(PauseStage.self)
    let (store, plan) = try lay(script, #"stage "pause" {}"#, stages)
    let staged = try await Run(
      plan, store: store, options: RunOptions(until: "pause"), stages: stages
    ).execute()
    #expect(staged.outcome == .stopped(after: "pause"))
    let run = store + ".pipeline/run"
    let next = try Connection(path: run + "/next.sqlite", mode: .own(create: false))
    try change(next, run + "/next_EXTERNAL")
    try next.close()
    let summary = try await Run(plan, store: store, stages: stages).execute()
    #expect(!FileManager.default.fileExists(atPath: run + "/again.sqlite"))
    return summary
  }

  @Test(
    "a store that a script would make again as it is takes the source's place", arguments: 0..<2)
  func same(script: Int) async throws {
    let summary = try await verify(Self.scripts[script])
    #expect(summary.failures.isEmpty)
    #expect(summary.outcome == .swapped)
  }

  @Test("values that a script has brought into files are found there later on", arguments: 0..<2)
  func later(script: Int) async throws {
    let (store, plan) = try lay(Self.scripts[script])
    #expect(try await Run(plan, store: store).execute().outcome == .swapped)
    #expect(try await StoreVerification(store: store).run().count == 0)
    let files = try StoreFiles(store).externalDataFolder
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: files).first)
    let file = URL(filePath: "\(files)/\(name)")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: file)
    let differences = try await StoreVerification(store: store).run().differences
    #expect(differences.map(\.rule) == ["has a file that differs from the source's"])
  }

  private static let changes = [
    ("UPDATE ZITEM SET ZTITLE = 'lamp' WHERE Z_PK = 1", ["Item 1 title"]),
    ("UPDATE ZITEM SET ZTITLE = 'X' WHERE Z_PK = 4", ["Item 4 title"]),
    ("UPDATE ZITEM SET ZHALF = NULL WHERE Z_PK = 2", ["Item 2 half"]),
    ("UPDATE ZITEM SET ZHALF = '2.0' || char(0) WHERE Z_PK = 1", ["Item 1 half"]),
    ("UPDATE ZITEM SET ZSIZE = 5 WHERE Z_PK = 1", ["Item 1 size"]),
    ("UPDATE ZITEM SET Z_OPT = 7 WHERE Z_PK = 3", ["Item 3 Z_OPT"]),
    ("DELETE FROM ZITEM WHERE Z_PK = 4", ["Item 4 "]),
    ("INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (9, 1, 1, 1)", ["Item 9 "]),
    ("INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT) VALUES (8, 1, 1)", ["Item 8 "]),
    ("UPDATE ZITEM SET ZDATA = ZDATA || x'00' WHERE Z_PK = 1", ["Item 1 data"]),
    ("UPDATE ZITEM SET ZDATA = CAST(ZDATA AS TEXT) WHERE Z_PK = 2", ["Item 2 data"]),
    ("UPDATE ZITEM SET ZDATA = x'00' WHERE Z_PK = 4", ["Item 4 data"]),
    ("UPDATE ZITEM SET ZPICTURE = NULL WHERE Z_PK = 3", ["Item 3 picture"]),
    ("UPDATE ZITEM SET ZPICTURE = x'0133' WHERE Z_PK = 1", ["Item 1 picture"]),
    (
      """
      CREATE TEMP TABLE o AS SELECT Z_PK, ZPICTURE FROM ZITEM WHERE Z_PK < 3;
      UPDATE ZITEM SET ZPICTURE = (SELECT ZPICTURE FROM o WHERE o.Z_PK = 3 - ZITEM.Z_PK)
      WHERE Z_PK IN (1, 2)
      """, ["Item 1 picture", "Item 2 picture"]
    ),
  ]

  @Test(
    "each change of what a script has made is found and named",
    arguments: 0..<2, changes)
  func planted(script: Int, change: (sql: String, places: [String])) async throws {
    let summary = try await verify(Self.scripts[script]) { next, _ in try next.execute(change.sql) }
    #expect(summary.outcome == .invalid)
    let places = Set(summary.failures.map { "\($0.entity) \($0.key) \($0.property)" })
    #expect(places == Set(change.places))
  }

  @Test(
    "an object of another entity that a script makes is compared, too",
    arguments: [
      ("DELETE FROM ZPHOTO WHERE Z_PK = 2", "Photo 2 "),
      ("INSERT INTO ZPHOTO (Z_PK, Z_ENT, Z_OPT) VALUES (4, 2, 1)", "Photo 4 "),
      ("UPDATE ZPHOTO SET ZDATA = x'' WHERE Z_PK = 3", "Photo 3 data"),
      ("UPDATE ZPHOTO SET ZITEM = 1 WHERE Z_PK = 3", "Photo 3 item"),
      ("UPDATE ZITEM SET ZPHOTO = NULL WHERE Z_PK = 3", "Item 3 photo"),
    ])
  func others(change: String, place: String) async throws {
    let summary = try await verify(Self.scripts[1]) { next, _ in try next.execute(change) }
    #expect(summary.failures.map { "\($0.entity) \($0.key) \($0.property)" } == [place])
  }

  @Test("a file that holds something else, or is gone, is found", arguments: 0..<2, [true, false])
  func files(script: Int, isThere: Bool) async throws {
    let summary = try await verify(Self.scripts[script]) { next, files in
      let stored = try next.scalar("SELECT ZPICTURE FROM ZITEM WHERE Z_PK = 2")?.blob ?? []
      let file = URL(filePath: "\(files)/\(try #require(ExternalReference(stored: stored)).name)")
      var bytes = try Data(contentsOf: file)
      bytes[bytes.count - 1] ^= 1
      try FileManager.default.removeItem(at: file)
      if isThere { try bytes.write(to: file) }
    }
    let places = summary.failures.map { "\($0.entity) \($0.key) \($0.property)" }
    #expect(places == ["Item 2 picture"])
    #expect(summary.failures.map(\.rule) == ["has a file that differs from the source's"])
  }

  @Test("what a script keeps outside the objects is what it was", arguments: 0..<2)
  func state(script: Int) async throws {
    let text = Self.scripts[script].replacing(
      "item.name:upper()", with: "count(item.name)"
    ).replacing("name:upper()", with: "count(name)")
    let counting = """
      local n = 0
      local function count(name) n = n + 1 return name .. n end
      """
    let summary = try await verify(counting + "\n" + text)
    #expect(summary.outcome == .swapped)
  }
}

extension ExternalReference {
  /// The file of a value in a column.
  fileprivate init?(stored bytes: [UInt8]) {
    self.init(String(decoding: bytes.dropFirst().prefix(36), as: UTF8.self))
  }
}
