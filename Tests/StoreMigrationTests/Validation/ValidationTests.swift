import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreMigration

private typealias M = SchemaModels
private typealias S = ValidationSample

@Suite("Validation", .temporaryFolder) struct ValidationTests {
  private static func result(
    _ sql: String = "", _ choices: Validation.Choices = Validation.Choices()
  ) throws -> ValidationResult {
    let schema = try S.schema()
    let path = try S.store(schema: schema, sql)
    return try Validation(store: path, schema: schema, choices: choices).run()
  }

  @Test("a store that obeys all rules has no failure")
  func sound() throws {
    var entities: [String] = []
    let schema = try S.schema()
    let validation = try Validation(
      store: try S.store(schema: schema), schema: schema)
    let result = try validation.run { name, done, total in
      entities.append("\(name) \(done)/\(total)")
    }
    #expect(result.failures.isEmpty)
    #expect(result.errors == 0 && result.warnings == 0 && result.countsByRule.isEmpty)
    #expect(result.unchecked.isEmpty)
    #expect(result.isPassed)
    #expect(entities == ["Folder 1/6", "Loose 2/6", "Note 3/6", "Tag 4/6", "Ink 5/6", "Pen 6/6"])
  }

  @Test("sets of keys have room in all, not table by table") func room() throws {
    let schema = try S.schema()
    let store = try Connection(path: try S.store(schema: schema), mode: .foreign)
    let folder = try #require(schema.entity(named: "Folder"))
    let note = try #require(schema.entity(named: "Note"))
    let columns = [
      KeyColumn("ZNOTE", "ZFOLDER", of: folder, mayBeNull: true),
      KeyColumn("ZFOLDER", "ZCOVER", of: note, mayBeNull: true),
    ]
    let tables = try RowFacts(store, schema, columns: columns).objects.keys.sorted()
    #expect(tables == ["ZFOLDER", "ZNOTE", "ZTAG"])
    #expect(try RowFacts(store, schema, columns: columns, room: 4).objects.count == 1)
  }

  @Test(
    "each rule that is broken is found, with entity, key, property and rule",
    arguments: [
      ("UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK = 2", ["Note 2 title: mandatory"]),
      ("UPDATE ZNOTE SET ZTITLE = 'a' WHERE Z_PK = 2", ["Note 2 title: at least 2 long"]),
      ("UPDATE ZNOTE SET ZTITLE = 'é' WHERE Z_PK = 2", ["Note 2 title: at least 2 long"]),
      ("UPDATE ZNOTE SET ZTITLE = '😀' WHERE Z_PK = 2", []),
      ("UPDATE ZNOTE SET ZTITLE = 'éééée' WHERE Z_PK = 2", []),
      ("UPDATE ZNOTE SET ZTITLE = 'abcdef' WHERE Z_PK = 2", ["Note 2 title: at most 5 long"]),
      ("UPDATE ZNOTE SET ZTITLE = '😀😀😀' WHERE Z_PK = 2", ["Note 2 title: at most 5 long"]),
      (
        "UPDATE ZNOTE SET ZCODE = 'AB-12'",
        ["Note 1", "Note 2", "Note 3"].map {
          "\($0) code: matches [A-Z]+|[A-Z]+-[0-9]"
        }
      ),
      (
        "UPDATE ZNOTE SET ZCODE = 'A' || char(10) WHERE Z_PK = 1",
        ["Note 1 code: matches [A-Z]+|[A-Z]+-[0-9]"]
      ),
      ("UPDATE ZNOTE SET ZRANK = 0 WHERE Z_PK = 1", ["Note 1 rank: at least 1"]),
      ("UPDATE ZNOTE SET ZRANK = 10 WHERE Z_PK = 1", ["Note 1 rank: at most 9"]),
      ("UPDATE ZNOTE SET ZPRICE = 9.51 WHERE Z_PK = 1", ["Note 1 price: at most 9.5"]),
      (
        "UPDATE ZNOTE SET ZMADE = 99.5 WHERE Z_PK = 1",
        ["Note 1 made: at least CAST(100, \"NSDate\")"]
      ),
      ("UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK = 2", ["Note 2 folder: mandatory"]),
      (
        "UPDATE ZNOTE SET ZFOLDER = 9 WHERE Z_PK = 2",
        ["Note 2 folder: leads to an object that is there"]
      ),
      ("UPDATE ZNOTE SET ZFOLDER = 1", ["Folder 2 notes: at least 1 object"]),
      (
        """
        INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTITLE, ZFOLDER) VALUES (4, 3, 'xx', 1), (5, 3, 'xx', 1);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Note'
        """, ["Folder 1 notes: at most 3 objects"]
      ),
      ("UPDATE ZNOTE SET ZCOVERS = 2 WHERE Z_PK = 3", ["Note 3 covers: the inverse leads back"]),
      (
        "UPDATE ZNOTE SET Z5_THING = 6 WHERE Z_PK = 1",
        ["Note 1 thing: the number of the entity next to the key is right"]
      ),
      (
        "UPDATE ZNOTE SET ZTHING = 3 WHERE Z_PK = 1",
        ["Note 1 thing: leads to an object that is there"]
      ),
      (
        "UPDATE ZLOOSE SET Z4FREE = 2", ["Loose 1 free: leads to an object that is there"]
      ),
      (
        "INSERT INTO Z_3TAGS (Z_3NOTES, Z_4TAGS) VALUES (3, 2), (8, 1)",
        [
          "Note 3 tags: leads to an object that is there",
          "Note 8 tags: leads to an object that is there",
        ]
      ),
      (
        "UPDATE ZFOLDER SET ZNAME = 'Home'",
        ["Folder 1 name: unique name", "Folder 2 name: unique name"]
      ),
      (
        "UPDATE ZTHING SET Z_ENT = 5 WHERE Z_PK = 2; UPDATE ZNOTE SET Z5_THING = 5 WHERE Z_PK = 3",
        ["Thing 2 Z_ENT: the number of the entity is one of its table's"]
      ),
      (
        "UPDATE ZTAG SET Z_ENT = NULL; DELETE FROM Z_3TAGS; DELETE FROM ZLOOSE",
        ["Tag 1 Z_ENT: the number of the entity is one of its table's"]
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 3", ["Note 0 Z_MAX: Z_PRIMARYKEY is right"]
      ),
      (
        "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Quill' WHERE Z_ENT = 7",
        ["Pen 0 Z_ENT: Z_PRIMARYKEY is right"]
      ),
    ] as [(String, [String])])
  func found(sql: String, expected: [String]) throws {
    let result = try Self.result(";" + sql)
    #expect(
      result.failures.map { "\($0.entity) \($0.key) \($0.property): \($0.rule)" } == expected)
    #expect(result.errors == expected.count && result.warnings == 0)
    #expect(result.isPassed == expected.isEmpty)
    #expect(result.failures.allSatisfy { $0.value == nil && !$0.inSource })
  }

  @Test("what a family must not share is found in each of its entities")
  func family() throws {
    let schema = try M.schema(
      """
      <entity name="Root" isAbstract="YES">
      <attribute name="name" optional="YES" attributeType="String"/>
      \(M.unique("name"))</entity>
      <entity name="A" parentEntity="Root"/><entity name="B" parentEntity="Root"/>
      <entity name="C" parentEntity="B">
      <attribute name="code" optional="YES" attributeType="String"/>\(M.unique("code"))</entity>
      """)
    let path = samplePath("family.sqlite")
    let store = try NewStore(at: path, schema: schema, durability: .off)
    try store.make(.tables)
    try store.connection.execute(
      """
      INSERT INTO ZROOT (Z_PK, Z_ENT, ZNAME) VALUES (1, 4, 'x'), (2, 2, 'x'), (3, 3, 'y'),
        (4, 3, NULL), (5, 2, NULL), (6, 2, 'x');
      INSERT INTO ZROOT (Z_PK, Z_ENT, ZCODE) VALUES (7, 4, 'k'), (8, 4, 'k');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 8 WHERE Z_NAME = 'Root'
      """)
    try store.close()
    let result = try Validation(store: path, schema: schema).run()
    #expect(
      result.failures.map { "\($0.entity) \($0.key) \($0.rule)" } == [
        "A 2 unique name", "A 6 unique name", "C 1 unique name", "C 7 unique code",
        "C 8 unique code",
      ])
  }

  @Test("all failures are counted by rule, and listed up to the limit")
  func limit() throws {
    let result = try Self.result(
      ";UPDATE ZNOTE SET ZRANK = 0, ZCODE = 'x'", Validation.Choices(limit: 2))
    #expect(result.failures.count == 2)
    #expect(result.errors == 6)
    #expect(result.countsByRule.map(\.property) == ["code", "rank"])
    #expect(result.countsByRule.map(\.errors) == [3, 3])
  }

  @Test("values are shown when they are asked for")
  func values() throws {
    let result = try Self.result(
      ";UPDATE ZNOTE SET ZRANK = 0, ZFOLDER = 7, ZCODE = 'x' WHERE Z_PK = 1;",
      Validation.Choices(showsValues: true))
    let values = result.failures.filter { $0.entity == "Note" }.map(\.value)
    #expect(values == [.string("x"), .integer(0), .integer(7)])
  }

  @Test("a rule that cannot be checked is named")
  func unchecked() throws {
    let note = S.note(
      M.attribute("bad", "String", "regularExpressionString=\"(\""),
      M.attribute("odd", "UUID", "minValueString=\"many\""))
    let schema = try S.schema(note: note)
    let path = try S.store(schema: schema)
    let result = try Validation(store: path, schema: schema).run()
    #expect(result.isPassed)
    #expect(
      result.unchecked == [
        "Note.bad: the rule \"matches (\" is not checked. It is no regular expression.",
        "Note.odd: the rule \"at least \"many\"\" is not checked. "
          + "\"many\" is no value of odd, which is of the type UUID.",
      ])
  }

  @Test("a rule of the model in its own words is understood over SELF")
  func predicate() throws {
    var entity = Entity(name: "Item")
    var attribute = Attribute(name: "rank", type: .integer32)
    attribute.isOptional = true
    attribute.validation = [.predicate(PredicateParser.predicate("SELF IN {1, 2}"))]
    entity.attributes = [attribute]
    let schema = try StoreSchema(of: try Model(name: "Test", entities: [entity]))
    let store = try NewStore(at: samplePath("a.sqlite"), schema: schema)
    try store.make(.tables)
    try store.connection.execute(
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, ZRANK) VALUES (1, 1, 2), (2, 1, 3), (3, 1, NULL);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 3
      """)
    try store.close()
    let result = try Validation(store: samplePath("a.sqlite"), schema: schema).run()
    #expect(result.failures.map(\.key) == [2])
    #expect(result.failures.first?.rule == "SELF IN {1, 2}")
  }

  @Test("a missing table is an error of the store")
  func damaged() throws {
    let schema = try S.schema()
    let path = try S.store(schema: schema, ";DROP TABLE ZTAG")
    let error = #expect(throws: Failure.self) {
      try Validation(store: path, schema: schema).run()
    }
    #expect(error?.what == "cannot validate the store")
  }

  @Test("what the progress throws ends the check")
  func cancelled() throws {
    struct Stop: Error {}
    let schema = try S.schema()
    let path = try S.store(schema: schema)
    let validation = try Validation(store: path, schema: schema)
    #expect(throws: Stop.self) { try validation.run { _, _, _ in throw Stop() } }
  }
}
