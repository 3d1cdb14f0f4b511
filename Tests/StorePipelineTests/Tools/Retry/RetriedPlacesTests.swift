import CoreDataStore
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Links of rejected objects, as a run makes them", .temporaryFolder)
struct RetriedPlacesTests {
  @Test("an object that an application has given another owner stays with it, and is reported")
  func owned() async throws {
    let two = try TwoStores(
      [
        Self.entity("Owner", Self.text("name"), Self.many("likes", "Thing")),
        Self.entity("Thing", Self.text("name")),
      ], of: "Owner",
      """
      INSERT INTO ZOWNER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Ann'), (2, 1, 1, 'Bad');
      INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZNAME, Z1LIKES) VALUES
        (1, 2, 1, 't', 2), (2, 2, 1, 'u', 2);
      """)
    try await two.run()
    try SampleStore.change(two.store, by: "UPDATE ZTHING SET Z1LIKES = 1 WHERE Z_PK = 1")
    let summary = try await two.retry()
    #expect(try two.rows("SELECT ZNAME, Z1LIKES FROM ZTHING ORDER BY 1") == ["t|1", "u|2"])
    #expect(
      summary.warnings == [
        "Owner 2, likes: not linked with Thing 1, as one of the two has another link now, "
          + "which stays"
      ])
  }

  @Test("of several objects of one the same one has the links as in a run")
  func several() async throws {
    let base = Self.entity(
      "Base", Self.text("name"), Self.one("box", "Box", "items"),
      Self.many("marks", "Mark", "bases"))
    let two = try TwoStores(
      [
        base, Self.entity("Box", Self.many("items", "Base", "box")),
        Self.entity("Item", parent: "Base"), Self.entity("Led", Self.one("to", "Base")),
        Self.entity("Mark", Self.many("bases", "Base", "marks")),
        Self.entity("Photo", parent: "Base"),
      ], of: "Item", add: "Base",
      """
      INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 4, 1);
      INSERT INTO ZMARK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 6, 1);
      INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBOX) VALUES
        (1, 2, 1, 'Bad', 1), (2, 2, 1, 'ok', 1);
      INSERT INTO ZLED (Z_PK, Z_ENT, Z_OPT, ZTO) VALUES (1, 5, 1, 1), (2, 5, 1, 2);
      INSERT INTO Z_1MARKS VALUES (1, 1);
      """,
      script: """
        return { creates = { "Item", "Photo" }, create = function(item, new)
          %REJECT%
          new.Photo { name = "photo of " .. item.name }
          local copy = new.Item(item)
          copy.size = item.name
        end }
        """)
    try await two.run()
    _ = try await two.retry()
    let links = """
      SELECT b.ZNAME, b.ZBOX, (SELECT count(*) FROM Z_1MARKS AS m WHERE m.Z_1BASES = b.Z_PK),
      (SELECT l.Z_PK FROM ZLED AS l WHERE l.ZTO = b.Z_PK) FROM ZBASE AS b ORDER BY 1
      """
    #expect(try two.rows(links) == two.rows(links, of: two.whole))
    #expect(try two.rows(links).contains("Bad|1|1|1"))
  }
}

extension RetriedPlacesTests {
  static func text(_ name: String) -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
  }

  static func entity(_ name: String, parent: String? = nil, _ properties: String...) -> String {
    let parent = parent.map { " parentEntity=\"\($0)\"" } ?? ""
    return "<entity name=\"\(name)\"\(parent)>\(properties.joined())</entity>"
  }

  static func one(_ name: String, _ entity: String, _ inverse: String? = nil) -> String {
    relationship("maxCount=\"1\"", name, entity, inverse)
  }

  static func many(
    _ name: String, _ entity: String, _ inverse: String? = nil, isOrdered: Bool = false
  ) -> String {
    relationship(
      "toMany=\"YES\"" + (isOrdered ? " ordered=\"YES\"" : ""), name, entity, inverse)
  }

  private static func relationship(
    _ kind: String, _ name: String, _ entity: String, _ inverse: String?
  ) -> String {
    let back = inverse.map { "inverseName=\"\($0)\" inverseEntity=\"\(entity)\"" } ?? ""
    return """
      <relationship name="\(name)" optional="YES" \(kind) destinationEntity="\(entity)" \(back)/>
      """
  }
}

/// Two equal stores: nothing is rejected from the one, and objects named 'Bad' from the other.
private struct TwoStores {
  let folder: PlanFolder
  let whole: String
  let store: String
  private let script: String

  /// Takes the entities of both versions; that of the objects has an attribute more in the second.
  init(
    _ entities: [String], becoming later: [String]? = nil, of entity: String,
    add root: String? = nil, copy: String = "", _ rows: String, stages: String = "",
    script: String? = nil
  ) throws {
    let new = (later ?? entities).map { text in
      text.hasPrefix("<entity name=\"\(root ?? entity)\"")
        ? text.replacing("</entity>", with: RetriedPlacesTests.text("size") + "</entity>") : text
    }
    folder = try PlanFolder.models([entities.joined(), new.joined()])
    (whole, store) = (folder.path("Whole.sqlite"), folder.path("App.sqlite"))
    self.script =
      script ?? """
        return { attributes = { size = function(name) %REJECT% return name end } }
        """
    let transform = """
      stage "transform" { entity = "\(entity)", script = "it.lua", on_error = "reject" }
      """
    try folder.write(
      PlanFolder.appText("stage \"copy\" { \(copy) }" + transform + stages), to: "test.pipeline")
    let model = try ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App")
    for store in [whole, store] { try SampleStore.make(of: model, at: store, adding: rows) }
  }

  private func write(rejects: Bool) throws {
    let name = script.contains("item.name") ? "item.name" : "name"
    let reject = rejects ? "if string.find(\(name), 'Bad') then error('bad') end" : ""
    try folder.write(script.replacing("%REJECT%", with: reject), to: "it.lua")
  }

  /// Runs the pipeline on both stores; gives back the warnings for the whole one.
  @discardableResult
  func run() async throws -> [String] {
    try write(rejects: false)
    let warnings = try await run(whole)
    try write(rejects: true)
    _ = try await run(store)
    return warnings
  }

  private func run(_ store: String) async throws -> [String] {
    let pipeline = try PipelineFile(path: folder.path("test.pipeline")).pipeline()
    return try await Run(Planner(pipeline: pipeline).plan(store: Store(store)), store: store)
      .execute().warnings
  }

  func retry() async throws -> RetrySummary {
    try write(rejects: false)
    return try await RejectRetry(store: store).run()
  }

  func rows(_ sql: String, of path: String? = nil) throws -> [String] {
    try StoreRows.read(sql, at: path ?? store)
  }
}
