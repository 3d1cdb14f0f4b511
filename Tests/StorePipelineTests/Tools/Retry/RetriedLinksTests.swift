import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Links of rejected objects to what was merged", .temporaryFolder)
struct RetriedLinksTests {
  /// Items with links of each kind to hubs, some of which are merged.
  private struct Hubs {
    let folder: PlanFolder
    let versions: Int
    /// What a store is like that nothing is rejected from.
    let whole: String
    let store: String

    init(versions: Int = 2, stages: String) throws {
      func one(_ name: String, _ entity: String, _ inverse: String = "") -> String {
        let back = inverse.isEmpty ? "" : "inverseName=\"\(inverse)\" inverseEntity=\"\(entity)\""
        return """
          <relationship name="\(name)" optional="YES" maxCount="1" destinationEntity="\(entity)"
          \(back)/>
          """
      }
      func many(_ name: String, _ entity: String, _ inverse: String) -> String {
        """
        <relationship name="\(name)" optional="YES" toMany="YES" destinationEntity="\(entity)"
        inverseName="\(inverse)" inverseEntity="\(entity)"/>
        """
      }
      func texts(_ names: String...) -> String {
        names.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
          .joined()
      }
      let links =
        one("one", "Hub", "items") + one("pair", "Hub", "pair") + one("way", "Hub")
        + many("hubs", "Hub", "owners") + one("peer", "Item", "peers")
        + many("peers", "Item", "peer")
      folder = try PlanFolder.models(
        (1...versions).map { version in
          let more = (1..<version).map { "more\($0)" }.map { texts($0) }.joined()
          return """
            <entity name="Hub">\(texts("name", "group", "code"))\(more)
            \(many("items", "Item", "one"))\(one("pair", "Item", "pair"))
            \(many("owners", "Item", "hubs"))\(one("star", "Item"))</entity>
            <entity name="Item">\(texts("title"))\(links)
            \(version == versions ? texts("size") : "")</entity>
            """
        })
      self.versions = versions
      (whole, store) = (folder.path("Whole.sqlite"), folder.path("App.sqlite"))
      try folder.write(PlanFolder.appText(stages), to: "test.pipeline")
      let model = try ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App")
      for store in [whole, store] { try SampleStore.make(of: model, at: store, adding: Self.rows) }
    }

    private static let rows = """
      INSERT INTO ZHUB (Z_PK, Z_ENT, Z_OPT, ZNAME, ZGROUP, ZCODE, ZSTAR) VALUES
        (1, 1, 1, 'a', 'g', 'h1', NULL), (2, 1, 1, 'a', 'g', 'h2', 1),
        (3, 1, 1, 'b', 'g', 'h3', NULL), (4, 1, 1, 'b', 'g', 'h4', 2), (5, 1, 1, 'c', 'h', 'h5', 4);
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZONE, ZPAIR, ZWAY, ZPEER) VALUES
        (1, 2, 1, 'x', 1, 5, 2, 2), (2, 2, 1, 'y', 2, 4, 4, 1), (3, 2, 1, 'z', 3, NULL, 5, 4),
        (4, 2, 1, 'w', 4, NULL, 2, 2);
      UPDATE ZHUB SET ZPAIR = (SELECT i.Z_PK FROM ZITEM AS i WHERE i.ZPAIR = ZHUB.Z_PK);
      INSERT INTO Z_1OWNERS VALUES (1, 1), (2, 2), (4, 2), (5, 2), (3, 3), (4, 4), (3, 4);
      UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_NAME WHEN 'Hub' THEN 5 ELSE 4 END;
      """

    /// Writes the script, which rejects titles that it does not know.
    func write(_ titles: String) throws {
      let known = titles.map { "\($0) = true" }.joined(separator: ", ")
      try folder.write(
        """
        local known = { \(known) }
        return { attributes = { size = function(title)
          return known[title] and title or error("a strange title")
        end } }
        """, to: "items.lua")
    }

    func run(_ store: String, knowing titles: String) async throws {
      try write(titles)
      let pipeline = try PipelineFile(path: folder.path("test.pipeline")).pipeline()
      _ = try await Run(Planner(pipeline: pipeline).plan(store: Store(store)), store: store)
        .execute()
    }

    @discardableResult
    func retry(_ titles: String) async throws -> RetrySummary {
      try write(titles)
      return try await RejectRetry(store: store).run()
    }

    func rows(_ sql: String) throws -> [String] { try StoreRows.read(sql, at: store) }

    /// The objects in which the store differs from the whole one.
    func differences() throws -> [String] {
      let (one, other) = (try Store(whole), try Store(store))
      let model = try ModelLibrary([folder.path("App.xcdatamodeld")])
        .model(named: "App \(versions)")
      var changed: [String] = []
      _ = try StoreComparison(
        ComparedStore(one, model: model), ComparedStore(other, model: model)
      ).run { changed.append("\($0)") }
      return changed
    }
  }

  private static let transform = """
    stage "transform" { entity = "Item", script = "items.lua", on_error = "reject" }
    """
  private static func dedupe(_ key: String) -> String {
    "stage \"dedupe\" { entity = \"Hub\", key = \"\(key)\" }"
  }

  private static func step(_ version: Int, _ stages: String...) -> String {
    "step \"App \(version)\" { stage \"copy\" {}, \(stages.joined(separator: ", ")) }"
  }

  private static let pipelines: [(versions: Int, stages: String)] = [
    (2, #"stage "copy" {}"# + transform + dedupe("name")),
    (2, #"stage "copy" {}"# + transform + dedupe("name") + dedupe("group")),
    (3, step(2, dedupe("name")) + step(3, transform, dedupe("group"))),
    (
      4,
      step(2, dedupe("name")) + step(3, dedupe("group")) + step(4, transform, dedupe("code"))
    ),
  ]

  @Test(
    "a retry makes what a run makes that rejects nothing, whatever has been merged",
    arguments: 0..<4, ["yw", "y", "w"])
  func same(number: Int, later: String) async throws {
    let (versions, stages) = Self.pipelines[number]
    let hubs = try Hubs(versions: versions, stages: stages)
    try await hubs.run(hubs.whole, knowing: "xyzw")
    try await hubs.run(hubs.store, knowing: "xz")
    #expect(try await hubs.retry(later == "yw" ? "xyzw" : "xz\(later)").outcome == .swapped)
    if later != "yw" { #expect(try await hubs.retry("xyzw").outcome == .swapped) }
    #expect(try hubs.differences() == [])
    let verified = try await StoreVerification(store: hubs.store).run()
    #expect(verified.isSame, "\(verified)")
  }

  @Test("after a rollback of the retry the links are found again")
  func rolledBack() async throws {
    let hubs = try Hubs(stages: #"stage "copy" {}"# + Self.transform + Self.dedupe("name"))
    try await hubs.run(hubs.whole, knowing: "xyzw")
    try await hubs.run(hubs.store, knowing: "xz")
    try await hubs.retry("xzy")
    _ = try StoreRecovery(store: hubs.store).rollback()
    try await hubs.retry("xyzw")
    #expect(try hubs.differences() == [])
  }

  /// Makes two hubs of one: the first has its links.
  private static let halves = """
    return { creates = { "Hub" }, create = function(hub, new)
      local copy = new.Hub(hub)
      new.Hub { name = hub.code, group = "half" }
      return copy
    end }
    """

  @Test("of several objects that were made of one the links lead to what the first was merged into")
  func several() async throws {
    let hubs = try Hubs(
      stages: #"stage "copy" {} stage "transform" { entity = "Hub", script = "hubs.lua" }"#
        + Self.transform + Self.dedupe("name"))
    try hubs.folder.write(Self.halves, to: "hubs.lua")
    try await hubs.run(hubs.whole, knowing: "xyzw")
    try await hubs.run(hubs.store, knowing: "xz")
    try await hubs.retry("xyzw")
    #expect(try hubs.differences() == [])
  }

  @Test("where an application has deleted what stayed, no other object has the links")
  func deleted() async throws {
    let hubs = try Hubs(
      stages: #"stage "copy" {} stage "transform" { entity = "Hub", script = "hubs.lua" }"#
        + Self.transform + Self.dedupe("name"))
    try hubs.folder.write(Self.halves, to: "hubs.lua")
    try await hubs.run(hubs.store, knowing: "xz")
    let kept = "(SELECT min(Z_PK) FROM ZHUB WHERE ZNAME = 'a')"
    try SampleStore.change(
      hubs.store,
      by: """
        UPDATE ZITEM SET ZONE = NULL WHERE ZONE = \(kept);
        UPDATE ZITEM SET ZWAY = NULL WHERE ZWAY = \(kept);
        DELETE FROM Z_1OWNERS WHERE Z_1HUBS = \(kept); DELETE FROM ZHUB WHERE Z_PK = \(kept)
        """)
    let summary = try await hubs.retry("xyzw")
    #expect(summary.outcome == .swapped)
    let gone = summary.warnings.filter { $0.contains("is not in the store") }
    #expect(gone.contains { $0.hasPrefix("Item 2, one: not linked with Hub ") }, "\(gone)")
    #expect(gone.contains { $0.hasPrefix("Item 4, way: not linked with Hub ") }, "\(gone)")
    let links = """
      SELECT i.ZTITLE, o.ZNAME, w.ZNAME FROM ZITEM AS i LEFT JOIN ZHUB AS o ON o.Z_PK = i.ZONE
      LEFT JOIN ZHUB AS w ON w.Z_PK = i.ZWAY WHERE i.ZTITLE IN ('w', 'y') ORDER BY 1
      """
    #expect(try hubs.rows(links) == ["w|b|NULL", "y|NULL|b"])
  }

  @Test("a script of an earlier step by which other objects would be merged now is refused")
  func mergedOtherwise() async throws {
    let hubs = try Hubs(
      versions: 3,
      stages: Self.step(
        2, #"stage "transform" { entity = "Hub", script = "hubs.lua" }"#, Self.dedupe("more1"))
        + Self.step(3, Self.transform))
    let script = "return { attributes = { more1 = function(name) return name end } }"
    try hubs.folder.write(script, to: "hubs.lua")
    try await hubs.run(hubs.store, knowing: "xz")
    try hubs.folder.write(
      script.replacing("return name ", with: "return name == 'c' and 'a' or name "), to: "hubs.lua")
    let error = await #expect(throws: Failure.self) { try await hubs.retry("xyzw") }
    #expect(error?.why.contains("make other objects") == true)
  }

  @Test("what no stage touches is compared, too, where an application had written before a retry")
  func verified() async throws {
    let hubs = try Hubs(stages: #"stage "copy" {}"# + Self.transform + Self.dedupe("name"))
    try await hubs.run(hubs.store, knowing: "xz")
    try SampleStore.change(
      hubs.store, by: "UPDATE ZITEM SET ZTITLE = 'own', Z_OPT = 9 WHERE Z_PK = 3")
    try await hubs.retry("xyzw")
    let before = try await StoreVerification(store: hubs.store).run()
    #expect(before.differences.map { "\($0.entity) \($0.key) \($0.isSince)" } == ["Item 3 true"])
    #expect(!before.isComplete)
    #expect(
      before.warnings == [
        "a retry has put objects into a store that another process had written to: what dedupe may "
          + "change there is not compared, nor are links to it: Hub"
      ])
    try SampleStore.change(hubs.store, by: "DELETE FROM ZITEM WHERE Z_PK <= 2")
    let after = try await StoreVerification(store: hubs.store).run()
    #expect(after.differences.map { "\($0.entity) \($0.key)" }.prefix(2) == ["Item 1", "Item 2"])
  }
}
