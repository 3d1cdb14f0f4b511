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

  @Test("links to what an application has deleted are named, and not those to what waits on")
  func deleted() async throws {
    let two = try TwoStores(
      [
        Self.entity(
          "Note", Self.text("name"), Self.one("tag", "Tag", "notes"), Self.one("boss", "Note"),
          Self.many("marks", "Tag", "bearers")),
        Self.entity(
          "Tag", Self.text("name"), Self.many("bearers", "Note", "marks"),
          Self.many("notes", "Note", "tag")),
      ], of: "Note",
      """
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'a'), (2, 2, 1, 'b');
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZNAME, ZTAG, ZBOSS) VALUES
        (1, 1, 1, 'Bad', 1, 2), (2, 1, 1, 'ok', 2, 1), (3, 1, 1, 'Bad', 2, 4),
        (4, 1, 1, 'Worse Bad', NULL, NULL);
      INSERT INTO Z_1MARKS (Z_1BEARERS, Z_2MARKS) VALUES (1, 1), (1, 2);
      """)
    try await two.run()
    try SampleStore.change(
      two.store, by: "DELETE FROM ZTAG WHERE Z_PK = 1; DELETE FROM ZNOTE WHERE Z_PK = 2")
    let summary = try await two.retry(rejecting: "Worse")
    #expect(
      Set(summary.warnings) == [
        "Note 1, boss: not linked with Note 2, which is not in the store",
        "Note 1, marks: not linked with Tag 1, which is not in the store",
        "Note 1, tag: not linked with Tag 1, which is not in the store",
      ])
    #expect(try two.rows("SELECT Z_PK, ZTAG, ZBOSS FROM ZNOTE") == ["1|NULL|NULL", "3|2|NULL"])
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

  @Test("where one link of several stays, a retry chooses as a run does, and counts the others")
  func chosen() async throws {
    let later = [
      Self.entity("Note", Self.text("name"), Self.one("tags", "Tag", "notes")),
      Self.entity("Tag", Self.text("name"), Self.many("notes", "Note", "tags")),
    ]
    let two = try TwoStores(
      [
        Self.entity("Note", Self.text("name"), Self.many("tags", "Tag", "notes", isOrdered: true)),
        later[1],
      ], becoming: later, of: "Tag",
      copy: #"one { "Note.tags", keep = "last" }, accept_loss = { "*" }"#,
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'n'), (2, 1, 1, 'o'),
        (3, 1, 1, 'p');
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'a'), (2, 2, 1, 'Bad b'),
        (3, 2, 1, 'c'), (4, 2, 1, 'd');
      INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS, Z_FOK_2TAGS) VALUES (1, 3, 2048), (1, 1, 3072),
        (1, 2, 4096), (2, 2, 2048), (2, 1, 3072), (3, 1, 2048), (3, 2, 3072);
      """)
    let warnings = try await two.run()
    #expect(warnings.contains("Note.tags: 4 links discarded, one object stays"))
    try SampleStore.change(two.store, by: "UPDATE ZNOTE SET ZTAGS = 4 WHERE Z_PK = 3")
    let summary = try await two.retry()
    let links = "SELECT ZNAME, ZTAGS FROM ZNOTE ORDER BY 1"
    #expect(try two.rows(links, of: two.whole) == ["n|2", "o|1", "p|2"])
    #expect(try two.rows(links) == ["n|2", "o|1", "p|4"])
    #expect(
      summary.warnings == [
        "Note 3, tags: not linked with Tag 2, as one of the two has another link now, which stays",
        "Note.tags: 2 links discarded, one object stays",
      ])
  }

  /// Lists of songs by a table of pairs, and the members of a list, in its order.
  private static func lists(isOrdered: Bool) -> [String] {
    [
      entity(
        "List", text("name"), many("members", "Song", "list", isOrdered: isOrdered),
        many("songs", "Song", "lists", isOrdered: isOrdered)),
      entity("Song", text("name"), one("list", "List", "members"), many("lists", "List", "songs")),
    ]
  }

  private static let pairs = "SELECT * FROM Z_1SONGS ORDER BY Z_1LISTS, Z_FOK_2SONGS"
  private static let members = "SELECT Z_PK, ZLIST, Z_FOK_LIST FROM ZSONG ORDER BY 2, 3, 1"
  private static let songs = """
    INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'l'), (2, 1, 1, 'm');
    """

  @Test("what is put in has its place in an order", arguments: ["List", "Song"])
  func kept(entity: String) async throws {
    let two = try TwoStores(
      Self.lists(isOrdered: true), of: entity,
      """
      INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Bad l'), (2, 1, 1, 'm');
      INSERT INTO ZSONG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZLIST, Z_FOK_LIST) VALUES
        (1, 2, 1, 'Bad', 1, 2048), (2, 2, 1, 'y', 1, 4096), (3, 2, 1, 'Bad z', 1, 3072);
      INSERT INTO Z_1SONGS (Z_1LISTS, Z_2SONGS, Z_FOK_2SONGS) VALUES (1, 1, 2048), (1, 2, 4096),
        (1, 3, 3072), (2, 3, 2048), (2, 1, 3072);
      """)
    try await two.run()
    _ = try await two.retry()
    for sql in [Self.pairs, Self.members] {
      #expect(try two.rows(sql) == two.rows(sql, of: two.whole))
    }
    #expect(try await StoreVerification(store: two.store).run().isSame)
  }

  private static let unordered =
    songs + """
      INSERT INTO ZSONG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZLIST) VALUES (1, 2, 1, 'Bad', 1),
        (2, 2, 1, 'y', 1), (3, 2, 1, 'Bad z', 2);
      INSERT INTO Z_1SONGS (Z_1LISTS, Z_2SONGS) VALUES (1, 1), (1, 2), (2, 3), (2, 1);
      """

  @Test("where an order begins, what is put in has the place that a run gives")
  func numbered() async throws {
    let two = try TwoStores(
      Self.lists(isOrdered: false), becoming: Self.lists(isOrdered: true), of: "Song",
      Self.unordered)
    try await two.run()
    _ = try await two.retry()
    for sql in [Self.pairs, Self.members] {
      #expect(try two.rows(sql) == two.rows(sql, of: two.whole))
    }
    #expect(try await StoreVerification(store: two.store).run().isSame)
    try SampleStore.change(two.store, by: "UPDATE ZSONG SET Z_FOK_LIST = NULL WHERE Z_PK = 2")
    let found = try await StoreVerification(store: two.store).run()
    #expect(
      found.differences.map { "\($0.entity) \($0.key) \($0.property) \($0.rule)" } == [
        "Song 2 list leads where the source's link leads, at another place in the order"
      ])
  }

  @Test("what an application has put at a place stays there, and what is put in comes next")
  func taken() async throws {
    let two = try TwoStores(
      Self.lists(isOrdered: true), of: "Song",
      Self.songs + """
        INSERT INTO ZSONG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZLIST, Z_FOK_LIST) VALUES
          (1, 2, 1, 'x', 1, 2048), (2, 2, 1, 'Bad', 1, 3072), (3, 2, 1, 'y', NULL, NULL);
        INSERT INTO Z_1SONGS (Z_1LISTS, Z_2SONGS, Z_FOK_2SONGS) VALUES (1, 1, 2048), (1, 2, 3072);
        """)
    try await two.run()
    try SampleStore.change(
      two.store,
      by: """
        UPDATE ZSONG SET ZLIST = 1, Z_FOK_LIST = 3072 WHERE Z_PK = 3;
        INSERT INTO Z_1SONGS (Z_1LISTS, Z_2SONGS, Z_FOK_2SONGS) VALUES (1, 3, 3072);
        """)
    _ = try await two.retry()
    #expect(try two.rows(Self.members) == ["1|1|2048", "3|1|3072", "2|1|3073"])
    #expect(
      try two.rows("SELECT Z_2SONGS, Z_FOK_2SONGS FROM Z_1SONGS ORDER BY 2")
        == ["1|2048", "3|3072", "2|3073"])
    // A verification does not know why: it names what the application has linked, and the place.
    let found = try await StoreVerification(store: two.store).run()
    let (place, other) = ("at another place in the order", "does not lead")
    #expect(
      found.differences.map { difference in
        "\(difference.entity) \(difference.key) \(difference.property): "
          + (difference.rule.hasSuffix(place) ? place : String(difference.rule.prefix(13)))
      } == [
        "Song 2 list: \(place)", "Song 3 list: \(other)", "List 1 songs: \(place)",
        "List 1 songs: \(other)",
      ])
  }

  @Test("what several are merged into stands where the first of them stood")
  func merged() async throws {
    let two = try TwoStores(
      Self.lists(isOrdered: true), of: "List",
      Self.songs + """
        INSERT INTO ZSONG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZLIST, Z_FOK_LIST) VALUES
          (1, 2, 1, 'x', NULL, NULL), (2, 2, 1, 'x', 1, 2048), (3, 2, 1, 'y', 1, 3072),
          (4, 2, 1, 'z', 1, 4096), (5, 2, 1, 'z', 1, 1024);
        INSERT INTO Z_1SONGS (Z_1LISTS, Z_2SONGS, Z_FOK_2SONGS) VALUES (1, 2, 2048), (1, 3, 3072),
          (1, 4, 4096), (1, 5, 1024);
        """, stages: #"stage "dedupe" { entity = "Song", key = "name" }"#)
    try await two.run()
    #expect(try two.rows(Self.members) == ["4|1|1024", "1|1|2048", "3|1|3072"])
    #expect(
      try two.rows("SELECT Z_2SONGS, Z_FOK_2SONGS FROM Z_1SONGS ORDER BY 2")
        == ["4|1024", "1|2048", "3|3072"])
    #expect(try await StoreVerification(store: two.store).run().isSame)
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

  private func write(rejecting word: String?) throws {
    let name = script.contains("item.name") ? "item.name" : "name"
    let reject = word.map { "if string.find(\(name), '\($0)') then error('bad') end" } ?? ""
    try folder.write(script.replacing("%REJECT%", with: reject), to: "it.lua")
  }

  /// Runs the pipeline on both stores; gives back the warnings for the whole one.
  @discardableResult
  func run() async throws -> [String] {
    try write(rejecting: nil)
    let warnings = try await run(whole)
    try write(rejecting: "Bad")
    _ = try await run(store)
    return warnings
  }

  private func run(_ store: String) async throws -> [String] {
    let pipeline = try PipelineFile(path: folder.path("test.pipeline")).pipeline()
    return try await Run(Planner(pipeline: pipeline).plan(store: Store(store)), store: store)
      .execute().warnings
  }

  func retry(rejecting word: String? = nil) async throws -> RetrySummary {
    try write(rejecting: word)
    return try await RejectRetry(store: store).run()
  }

  func rows(_ sql: String, of path: String? = nil) throws -> [String] {
    try StoreRows.read(sql, at: path ?? store)
  }
}
