import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Stages in Lua that ship", .temporaryFolder)
struct ShippedStagesTests {
  /// Notes whose texts have forms of their own, are equal, are empty and are not there.
  private static let notes = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT, ZCREATED) VALUES
      (4, 2, 1, 'Milk', 'Größe: 12 €', 1), (5, 2, 1, 'a', '', 2), (6, 2, 1, 'b', '🙂 x', 3),
      (7, 2, 1, 'Mild', 'two litres', 4);
    """

  private static func redacted(
    _ options: String, adding sql: String = notes, metadata: String = "", verify: Bool = true
  ) async throws -> (StageSample, RunSummary) {
    let sample = try StageSample(adding: sql)
    let text = sample.text(
      "stage \"redact\" { \(options) }", verify: verify, plugins: false, metadata: metadata)
    return (sample, try await sample.run(text))
  }

  @Test("they are found by name, without a file")
  func names() {
    let names = StageRegistry.standard.descriptions.suffix(2).map(\.name)
    #expect(names == ["redact", "dedupe"])
  }

  @Test("redact keeps lengths and forms; equal texts stay equal, different ones different")
  func masks() async throws {
    let (sample, summary) = try await Self.redacted("")
    #expect(summary.outcome == .swapped)
    #expect(
      try sample.rows("SELECT ZTITLE, ZBODY FROM ZNOTE ORDER BY Z_PK") == [
        "Xxxx|xxx xxxxxx", "Xxxxx|NULL", "Xxxxxx|xx Xxxxxx", "Xxxx|Xxxxx: 00 x", "x|", "y|x x",
        "Xxxy|xxx xxxxxx",
      ])
    #expect(try sample.rows("SELECT ZNAME FROM ZFOLDER ORDER BY Z_PK") == ["Xxxx", "Xxxy"])
    #expect(
      try sample.rows("SELECT count(*), count(DISTINCT ZCREATED) FROM ZNOTE") == ["7|7"])
    let bytes = try sample.sample.bytes()
    for word in ["Milk", "litres", "Report", "Home"] {
      #expect(bytes.range(of: Data(word.utf8)) == nil)
    }
  }

  @Test("redact masks numbers and dates where they are named, empties, and leaves alone")
  func choices() async throws {
    let (sample, _) = try await Self.redacted(
      """
      mask = { "Note.title", "Note.created", "Note.pinned" }, empty = { "Note.body" },
      keep = "Note.title",
      """)
    #expect(
      try sample.rows("SELECT ZTITLE, ZBODY, ZCREATED, ZPINNED FROM ZNOTE WHERE Z_PK < 4") == [
        "Milk|NULL|0|0", "Bread|NULL|1|0", "Report|NULL|2|0",
      ])
    #expect(try sample.rows("SELECT ZNAME FROM ZFOLDER") == ["Home", "Work"])
  }

  @Test("redact makes all Booleans false, and says so")
  func booleans() async throws {
    let details = StageRegistry.standard.descriptions.first { $0.name == "redact" }?.details
    #expect(details?.contains("all Booleans become false") == true)
    let (sample, _) = try await Self.redacted(
      "mask = \"Note.pinned\"", adding: "UPDATE ZNOTE SET ZDONE = Z_PK % 2;")
    #expect(try sample.rows("SELECT DISTINCT ZPINNED FROM ZNOTE") == ["0"])
  }

  @Test("texts too short for masks of their length get longer ones, and that is reported")
  func tooShort() async throws {
    let (sample, summary) = try await Self.redacted(
      "mask = \"Note.title\"",
      adding: """
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCREATED)
        SELECT 100 + i, 2, 1, char(0x3b1 + i), 1 FROM n;
        """)
    #expect(
      try sample.rows("SELECT count(DISTINCT ZTITLE), max(length(ZTITLE)) FROM ZNOTE") == ["63|6"])
    #expect(
      summary.warnings.contains(
        "redact: Note.title: some texts are too short for masks of their length"))
  }

  @Test("redact refuses a history that is kept: old values stand in it")
  func history() async throws {
    let history = """
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZENTITY INTEGER, ZENTITYPK INTEGER, ZCOLUMNS BLOB);
      INSERT INTO ACHANGE VALUES (1, 16001, 1, 2, 1, NULL);
      """
    let failure = await #expect(throws: ScriptFailure.self) {
      try await Self.redacted("", adding: history)
    }
    #expect(failure?.message.contains("write stage \"metadata\" { history = \"drop\" }") == true)
    try FileManager.default.removeItem(at: TemporaryFolder.url)
    try FileManager.default.createDirectory(
      at: TemporaryFolder.url, withIntermediateDirectories: true)
    let (_, summary) = try await Self.redacted(
      "", adding: history, metadata: "stage \"metadata\" { history = \"drop\" }")
    #expect(summary.outcome == .swapped)
  }

  @Test("a large value in a file is masked, and the file does not come over")
  func externals() async throws {
    let sample = try BuildSample(
      Self.pictures, Self.pictures,
      rows: """
        INSERT INTO ZPICTURE (Z_PK, Z_ENT, Z_OPT, ZDATA, ZARCHIVE) VALUES
          (1, 1, 1, x'01616263646566', x'0102'), (2, 1, 1, NULL, NULL);
        """, in: TemporaryFolder.url)
    let builder = try StageBench.copied(sample)
    try StageBench.run(
      StageBench.shipped("redact"), builder,
      ["mask": .list([.text("*")]), "empty": .list([]), "keep": .list([])])
    let rows = try BuildSample.rows(
      "SELECT length(ZDATA), hex(substr(ZDATA, 2)), ZARCHIVE FROM ZPICTURE", builder)
    #expect(rows == ["7|000000000000|NULL", "NULL||NULL"])
    try builder.close()
  }

  @Test("numbers keep sign and magnitude, bytes their length, and different ones stay different")
  func numbers() async throws {
    let types = [
      ("whole", "Integer 16"), ("long", "Integer 64"), ("price", "Double"), ("small", "Float"),
      ("money", "Decimal"), ("bytes", "Binary"),
    ]
    let model = types.map { name, type in
      "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>"
    }.joined()
    let entity = "<entity name=\"Row\">\(model)</entity>"
    let sample = try BuildSample(
      entity, entity,
      rows: """
        WITH RECURSIVE n(i) AS (SELECT -40 UNION ALL SELECT i + 1 FROM n WHERE i < 259)
        INSERT INTO ZROW (Z_PK, Z_ENT, Z_OPT, ZWHOLE, ZLONG, ZPRICE, ZSMALL, ZMONEY, ZBYTES)
        SELECT i + 41, 1, 1, i, CASE i WHEN 0 THEN -9223372036854775807 - 1 ELSE i * 1000000 END,
          i * 0.07, i / 16.0, i * 1.25, substr(hex(i + 41), 1, 4) FROM n;
        UPDATE ZROW SET ZBYTES = CAST(substr(char(Z_PK), 1, 1) AS BLOB);
        UPDATE ZROW SET ZPRICE = 9e999 WHERE Z_PK = 1;
        """, in: TemporaryFolder.url)
    let builder = try StageBench.copied(sample)
    let names = types.map { OptionValue.text("Row.\($0.0)") }
    try StageBench.run(
      StageBench.shipped("redact"), builder,
      ["mask": .list(names), "empty": .list([]), "keep": .list([])])
    let distinct = types.map { "count(DISTINCT Z\($0.0.uppercased()))" }.joined(separator: ", ")
    #expect(
      try BuildSample.rows("SELECT \(distinct) FROM ZROW", builder) == ["300|300|300|300|300|300"])
    #expect(
      try BuildSample.rows(
        """
        SELECT min(ZWHOLE), max(ZWHOLE), sum(ZWHOLE < 0), sum(ZPRICE < 0), sum(ZPRICE > 1e308)
        FROM ZROW
        """, builder) == ["-40|259|40|39|1"])
    try builder.close()
  }

  /// What is left of one attribute of many objects, masked.
  private func masked(_ type: String, _ rows: String, _ query: String) throws -> [String] {
    let entity = """
      <entity name="Row"><attribute name="x" optional="YES" attributeType="\(type)"/></entity>
      """
    let sample = try BuildSample(
      entity, entity, rows: "INSERT INTO ZROW (Z_PK, Z_ENT, Z_OPT, ZX) \(rows);",
      in: TemporaryFolder.url)
    let builder = try StageBench.copied(sample)
    try StageBench.run(
      StageBench.shipped("redact"), builder,
      ["mask": .list([.text("Row.x")]), "empty": .list([]), "keep": .list([])])
    defer { try? builder.close() }
    return try BuildSample.rows(query, builder)
  }

  @Test("more Floats than there are whole numbers of their magnitude stay different")
  func floats() throws {
    #expect(
      try masked(
        "Float",
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90100)
        SELECT i, 1, 1, 10000 + i * 0.75 FROM n
        """, "SELECT count(DISTINCT ZX) FROM ZROW") == ["90100"])
  }

  @Test("empty bytes stay empty")
  func emptyBytes() throws {
    let rows = "VALUES (1, 1, 1, x''), (2, 1, 1, x''), (3, 1, 1, x'61')"
    #expect(
      try masked("Binary", rows, "SELECT typeof(ZX), hex(ZX) FROM ZROW ORDER BY Z_PK") == [
        "blob|", "blob|", "blob|00",
      ])
  }

  private static let pictures = """
    <entity name="Picture">
      <attribute name="data" optional="YES" attributeType="Binary"
        allowsExternalBinaryDataStorage="YES"/>
      <attribute name="archive" optional="YES" attributeType="Transformable"/>
    </entity>
    """

  /// Tags of which some share a name, and notes that have them.
  private static let tags = """
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (2, 3, 1, 'home'), (3, 3, 1, 'shop'),
      (4, 3, 1, 'shop'), (5, 3, 1, 'home');
    INSERT INTO Z_2TAGS (Z_2NOTES, Z_3TAGS) VALUES (3, 3), (1, 4), (2, 5);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Tag';
    """

  @Test(
    "dedupe makes one object of those that share a key, and moves their links",
    arguments: [
      ("oldest", ["1|shop|1,2,3", "2|home|2"]), ("newest", ["4|shop|1,2,3", "5|home|2"]),
    ])
  func dedupe(keep: String, left: [String]) async throws {
    let sample = try StageSample(adding: Self.tags)
    let summary = try await sample.run(
      sample.text(
        "stage \"dedupe\" { entity = \"Label\", key = \"name\", keep = \"\(keep)\" }",
        verify: true, plugins: false))
    #expect(summary.outcome == .swapped)
    #expect(summary.warnings.contains("dedupe: Label: 3 merged into others"))
    let join = try #require(
      sample.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"
      ).first)
    let columns = try sample.rows("SELECT name FROM pragma_table_info('\(join)')").sorted()
    #expect(
      try sample.rows(
        """
        SELECT l.Z_PK, l.ZNAME, (SELECT group_concat(n, ',') FROM (SELECT j.\(columns[1]) AS n
        FROM \(join) AS j WHERE j.\(columns[0]) = l.Z_PK ORDER BY 1)) FROM ZLABEL AS l ORDER BY 1
        """) == left)
  }

  @Test("links that lead to the one that stays are no loss, and the stage answers for the values")
  func losses() async throws {
    let sample = try StageSample(
      adding: """
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (2, 3, 1, 'work'), (3, 3, 1, 'shop'),
          (4, 3, 1, 'work'), (5, 3, 1, 'shop');
        INSERT INTO Z_2TAGS SELECT n.Z_PK, t.Z_PK FROM ZNOTE AS n, ZTAG AS t WHERE t.Z_PK > 2;
        """)
    var options = RunOptions()
    options.dryRun = DryRun()
    let plan = try sample.sample.plan(
      sample.text("stage \"dedupe\" { entity = \"Label\", key = \"name\" }", plugins: false))
    let findings = try await Run(plan, store: sample.sample.store, options: options).findings()
    let losses = try #require(findings.report?.losses)
    let names = losses.lines.first { $0.loss.entity == "Tag" && $0.loss.property == "name" }
    #expect(names?.loss.values == 5 && names?.loss.gone == 3)
    #expect(names?.declared?.hasPrefix("dedupe, ") == true)
    let links = losses.lines.filter { $0.loss.isRelationship && $0.loss.entity == "Tag" }
    #expect(links.map(\.loss.arrived) == [11] && links.map(\.loss.lost) == [0])
    #expect(losses.undeclared == 0)
  }

  @Test("dedupe keeps by an attribute, fills what is missing, and moves ordered links")
  func by() async throws {
    let sample = try StageSample(
      adding: """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZTEXT, ZCREATED, ZFOLDER) VALUES
          (4, 2, 1, 'Bread', 'rye', 5, 2), (5, 2, 1, 'Bread', NULL, 700000900, NULL);
        """)
    let summary = try await sample.run(
      sample.text(
        """
        stage "dedupe" { entity = "Note", key = { "title" }, keep = "newest", by = "created" }
        stage "dedupe" { entity = "Note", key = { "folder" } }
        """, plugins: false))
    #expect(
      summary.warnings.filter { $0.hasPrefix("dedupe") } == [
        "dedupe: Note: 2 merged into others",
        "dedupe: Note: 2 of their values gone: what stays has another value",
        "dedupe: Note: 1 of their links gone: what stays is linked to another object",
        "dedupe: Note: 1 merged into others",
        "dedupe: Note: 3 of their values gone: what stays has another value",
      ])
    #expect(
      try sample.rows("SELECT Z_PK, ZTITLE, ZBODY, ZFOLDER FROM ZNOTE ORDER BY Z_PK") == [
        "1|Milk|two litres|1", "3|Report|by Friday|2",
      ])
  }

  @Test("dedupe counts links that go, and names what to do about a file that is missing")
  func goes() throws {
    let model = """
      <entity name="Thing">
        <attribute name="key" optional="YES" attributeType="String"/>
        <attribute name="data" optional="YES" attributeType="Binary"
          allowsExternalBinaryDataStorage="YES"/>
        <relationship name="to" optional="YES" maxCount="1" destinationEntity="Thing"/>
      </entity>
      """
    let name = "0F8FAD5B-D9CB-469F-A165-70867728950E".utf8.map { String($0, radix: 16) }.joined()
    let sample = try BuildSample(
      model, model,
      rows: """
        INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZKEY, ZTO, ZDATA) VALUES
          (1, 1, 1, 'a', 3, x'02\(name)00'), (2, 1, 1, 'a', 4, NULL), (3, 1, 1, 'b', NULL, NULL),
          (4, 1, 1, 'c', NULL, NULL);
        """, in: TemporaryFolder.url)
    let builder = try StageBench.copied(sample)
    _ = try LinkCopy(builder).run { _ in }
    var options: [String: OptionValue] = [
      "entity": .text("Thing"), "key": .list([.text("key")]), "keep": .text("oldest"),
      "fill": .boolean(true),
    ]
    let error = #expect(throws: ScriptFailure.self) {
      try StageBench.run(StageBench.shipped("dedupe"), builder, options)
    }
    #expect(error?.remedy.contains("fill = false") == true, "\(String(describing: error))")
    options["fill"] = .boolean(false)
    try StageBench.run(StageBench.shipped("dedupe"), builder, options)
    #expect(
      try BuildSample.rows("SELECT Z_PK, ZTO FROM ZTHING WHERE ZKEY = 'a'", builder) == ["1|3"])
    try builder.close()
  }

  private static let age = #"<attribute name="age" optional="YES" attributeType="Integer 16"/>"#

  /// What a run says that copies a store, and merges the persons with one key.
  private func warnings(_ versions: [String], _ rows: String) async throws -> [String] {
    let folder = try PlanFolder.models(versions)
    try SampleStore.make(
      of: ModelLibrary([folder.path("App.xcdatamodeld")]).model(named: "App"),
      at: folder.path("App.sqlite"), adding: rows)
    let plan = try folder.plan(
      PlanFolder.appText(
        """
        stage "copy" {}
        stage "dedupe" { entity = "Person", key = "key" }
        """), store: "App.sqlite")
    return try await Run(plan, store: folder.path("App.sqlite")).execute().warnings
  }

  @Test("dedupe counts the objects whose only link went with one that was merged")
  func orphans() async throws {
    func model(_ more: String) -> String {
      """
      <entity name="Passport">
        <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person"
          inverseName="passport" inverseEntity="Person"/>
      </entity>
      <entity name="Person"><attribute name="key" optional="YES" attributeType="String"/>\(more)
        <relationship name="passport" optional="YES" maxCount="1" destinationEntity="Passport"
          inverseName="owner" inverseEntity="Passport"/>
      </entity>
      """
    }
    let warnings = try await warnings(
      [model(""), model(Self.age)],
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZKEY, ZPASSPORT) VALUES (1, 2, 1, 'a', 1),
        (2, 2, 1, 'a', 2), (3, 2, 1, 'a', NULL), (4, 2, 1, 'b', NULL), (5, 2, 1, 'b', 3);
      INSERT INTO ZPASSPORT (Z_PK, Z_ENT, Z_OPT, ZOWNER) VALUES (1, 1, 1, 1), (2, 1, 1, 2),
        (3, 1, 1, 5);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 5
      """)
    #expect(
      warnings.filter { $0.hasPrefix("dedupe") } == [
        "dedupe: Person: 3 merged into others",
        "dedupe: Person: 1 of their links gone: what stays is linked to another object",
        "dedupe: Passport: 1 orphaned by merging Person: what stays is linked to another; "
          + "the first is Passport 2",
      ])
  }

  @Test("dedupe merges an object that is its own partner, and names no orphan that it may merge")
  func partners() async throws {
    func model(_ more: String) -> String {
      """
      <entity name="Person"><attribute name="key" optional="YES" attributeType="String"/>\(more)
        <relationship name="partner" optional="YES" maxCount="1" destinationEntity="Person"
          inverseName="partner" inverseEntity="Person"/>
      </entity>
      """
    }
    let warnings = try await warnings(
      [model(""), model(Self.age)],
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZKEY, ZPARTNER) VALUES (1, 1, 1, 'a', 4),
        (2, 1, 1, 'a', 2), (3, 1, 1, 'a', 5), (4, 1, 1, NULL, 1), (5, 1, 1, 'a', 3);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 5
      """)
    #expect(warnings.contains("dedupe: Person: 3 merged into others"))
    #expect(!warnings.contains { $0.contains("orphaned") })
  }

  @Test("dedupe leaves objects of another entity, and those without a key, alone")
  func entities() throws {
    let model = """
      <entity name="Thing">
        <attribute name="key" optional="YES" attributeType="String"/>
        <relationship name="to" optional="YES" maxCount="1" destinationEntity="Thing"/>
        <relationship name="all" optional="YES" toMany="YES" destinationEntity="Thing"/>
      </entity>
      <entity name="Box" parentEntity="Thing"/>
      """
    let sample = try BuildSample(
      model, model,
      rows: """
        INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZKEY, ZTO) VALUES (1, 1, 1, 'a', NULL),
          (2, 2, 1, 'a', 3), (3, 1, 1, 'a', 4), (4, 1, 1, NULL, 3), (5, 1, 1, NULL, 5);
        """, in: TemporaryFolder.url)
    let builder = try StageBench.copied(sample)
    _ = try LinkCopy(builder).run { _ in }
    try StageBench.run(
      StageBench.shipped("dedupe"), builder,
      ["entity": .text("Thing"), "key": .list([.text("key")]), "keep": .text("oldest")])
    #expect(
      try BuildSample.rows("SELECT Z_PK, ZTO FROM ZTHING ORDER BY Z_PK", builder) == [
        "1|4", "2|1", "4|1", "5|5",
      ])
    try builder.close()
  }

  @Test("dedupe adds links behind those that are there, each once, and none between the two")
  func appended() throws {
    typealias Text = RetriedPlacesTests
    let model =
      Text.entity(
        "List", Text.text("key"), Text.many("likes", "List"),
        Text.many("songs", "Song", "lists", isOrdered: true),
        Text.many("tracks", "Song", "list", isOrdered: true))
      + Text.entity(
        "Song", Text.one("list", "List", "tracks"),
        Text.many("lists", "List", "songs", isOrdered: true))
    let sample = try BuildSample(
      model, model,
      rows: """
        INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT, ZKEY, Z1LIKES) VALUES
          (1, 1, 1, 'a', NULL), (2, 1, 1, 'a', 1), (3, 1, 1, 'a', NULL), (4, 1, 1, 'b', 2);
        INSERT INTO ZSONG (Z_PK, Z_ENT, Z_OPT, ZLIST, Z_FOK_LIST) VALUES (1, 2, 1, 1, 10),
          (2, 2, 1, 1, 20), (3, 2, 1, 2, 2048), (4, 2, 1, 2, 1024), (5, 2, 1, 3, 7);
        INSERT INTO Z_1SONGS (Z_1LISTS, Z_2SONGS, Z_FOK_2SONGS, Z_FOK_1LISTS) VALUES
          (1, 1, 2048, 1), (1, 2, 3072, 3000), (2, 2, 1024, 1000), (2, 3, 2048, 5), (4, 3, 1, 3);
        """, in: TemporaryFolder.url)
    let builder = try StageBench.copied(sample)
    _ = try LinkCopy(builder).run { _ in }
    try StageBench.run(
      StageBench.shipped("dedupe"), builder,
      ["entity": .text("List"), "key": .list([.text("key")]), "keep": .text("oldest")])
    #expect(
      try BuildSample.rows("SELECT Z_PK, Z1LIKES FROM ZLIST", builder) == ["1|NULL", "4|1"])
    #expect(
      try BuildSample.rows("SELECT Z_PK, ZLIST, Z_FOK_LIST FROM ZSONG ORDER BY 3", builder)
        == ["1|1|10", "2|1|20", "4|1|1044", "3|1|2068", "5|1|3092"])
    let pairs = "SELECT Z_1LISTS, Z_2SONGS, Z_FOK_2SONGS, Z_FOK_1LISTS FROM Z_1SONGS ORDER BY 1, 3"
    #expect(
      try BuildSample.rows(pairs, builder)
        == ["1|1|2048|1", "1|2|3072|1000", "1|3|4096|5", "4|3|1|3"])
    try builder.close()
  }

  @Test("without an inverse a link between the two goes, too, and what led to one is not lost")
  func between() throws {
    typealias Text = RetriedPlacesTests
    let model = Text.entity(
      "Thing", Text.text("key"), Text.one("to", "Thing"), Text.many("all", "Thing"))
    let sample = try BuildSample(
      model, model,
      rows: """
        INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZKEY, ZTO, Z1ALL) VALUES (1, 1, 1, 'a', 2, 2),
          (2, 1, 1, 'a', NULL, 3), (3, 1, 1, 'b', 2, NULL);
        """, in: TemporaryFolder.url)
    let builder = try StageBench.copied(sample)
    _ = try LinkCopy(builder).run { _ in }
    try StageBench.run(
      StageBench.shipped("dedupe"), builder,
      ["entity": .text("Thing"), "key": .list([.text("key")]), "keep": .text("oldest")])
    #expect(
      try BuildSample.rows("SELECT Z_PK, ZTO, Z1ALL FROM ZTHING ORDER BY Z_PK", builder)
        == ["1|NULL|3", "3|1|NULL"])
    try builder.close()
  }
}
