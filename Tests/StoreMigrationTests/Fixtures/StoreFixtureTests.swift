import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

private typealias M = SchemaModels

@Suite("Stores made of plain values", .temporaryFolder) struct StoreFixtureTests {
  private static let kinds = M.entity(
    "Kind",
    [
      "Integer 16", "Integer 32", "Integer 64", "Boolean", "Double", "Float", "Decimal", "Date",
      "String", "URI", "UUID", "Binary", "Transformable",
    ].map { M.attribute($0.lowercased().replacing(" ", with: ""), $0) }.joined(),
    M.attribute("file", "Binary", "allowsExternalBinaryDataStorage=\"YES\""),
    M.attribute("state", "String", "defaultValueString=\"new\""))

  private func make(
    _ schema: StoreSchema, history: Bool = false, _ fill: (StoreFixture) throws -> Void
  ) throws -> String {
    let path = samplePath("\(UUID().uuidString).sqlite")
    try StoreFixture.make(
      at: path, schema: schema, contents: NewStoreContents(keepsHistory: history), fill)
    return path
  }

  /// The rows of a query, when the store is sound and obeys its model.
  private func rows(_ sql: String, _ path: String, _ schema: StoreSchema) throws -> [[Value]] {
    #expect(try Validation(store: path, schema: schema).run().failures == [])
    let store = try Store(path)
    #expect(try store.connection.problems(.full).isEmpty)
    return try store.connection.rows(sql)
  }

  @Test("values of every type lie as Core Data lays them; what is not named has its default")
  func types() throws {
    let schema = try M.schema(Self.kinds)
    let id = try #require(UUID(uuidString: "3E0B6C1A-5C0F-4B57-9A53-0F4F7C1C9A11"))
    let path = try make(schema) { fixture in
      try fixture.add(
        "Kind",
        [
          "integer16": .integer(-32768), "integer32": .integer(7), "integer64": .integer(.max),
          "boolean": .boolean(true), "double": .real(0.5), "float": .real(2),
          "decimal": .decimal("12.25"), "date": .date(-86400), "string": .string("é👍"),
          "uri": .uri("a:b"), "uuid": .uuid(id), "binary": .binary([1]),
          "transformable": .transformable([2]), "file": .binary([3]),
        ])
      try fixture.add("Kind", ["state": .null])
    }
    let found = try rows(
      """
      SELECT ZINTEGER16, ZINTEGER64, ZBOOLEAN, ZDOUBLE, ZDECIMAL, ZDATE, ZSTRING, hex(ZUUID),
      hex(ZFILE), ZSTATE FROM ZKIND ORDER BY Z_PK
      """, path, schema)
    #expect(
      found[0] == [
        .integer(-32768), .integer(.max), .integer(1), .real(0.5), .real(12.25), .integer(-86400),
        .text("é👍"), .text("3E0B6C1A5C0F4B579A530F4F7C1C9A11"), .text("0103"), .text("new"),
      ])
    #expect(found[1].allSatisfy { $0.isNull || $0 == .text("") })
  }

  @Test("large values get files, and the store knows them")
  func external() throws {
    let schema = try M.schema(Self.kinds)
    let path = try make(schema) { fixture in
      try fixture.add("Kind", ["file": .binary(Array(repeating: 7, count: 200_000))])
      try fixture.add("Kind", ["binary": .binary(Array(repeating: 7, count: 200_000))])
    }
    let lengths = try rows("SELECT length(ZFILE), length(ZBINARY) FROM ZKIND", path, schema)
    #expect(lengths == [[.integer(38), .null], [.null, .integer(200_000)]])
    let folder = try StoreFiles(path).externalDataFolder
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
  }

  // Numbers: Box 1, Label 2, Lid 3, Thing 4, Cup 5, Pot 6.
  private static let linked =
    M.entity(
      "Box", M.toOne("lid", "Lid", inverse: "box"),
      M.toMany("things", "Thing", inverse: "box", ordered: true), M.toMany("loose", "Label"),
      M.attribute("count", "Integer 64", "derived=\"YES\" derivationExpression=\"count:(things)\""))
    + M.entity("Lid", M.toOne("box", "Box", inverse: "lid"))
    + M.entity("Label", M.toMany("things", "Thing", inverse: "labels", ordered: true))
    + M.entity(
      "Thing", abstract: true, M.toOne("box", "Box", inverse: "things"),
      M.toOne("near", "Thing"), M.toMany("labels", "Label", inverse: "things"),
      M.toMany("friends", "Thing", inverse: "friends"))
    + M.entity("Cup", parent: "Thing") + M.entity("Pot", parent: "Thing")

  @Test("a link may be said from either side and lead to what comes later")
  func links() throws {
    let schema = try M.schema(Self.linked)
    let path = try make(schema, history: true) { fixture in
      let pot = ObjectID(entity: "Pot", key: 8)
      let cup = ObjectID(entity: "Cup", key: 2)
      let label = ObjectID(entity: "Label", key: 1)
      let box = try fixture.add("Box", links: ["things": [pot, cup], "loose": [label]])
      try fixture.add("Lid", links: ["box": [box]])
      try fixture.add("Label", links: ["things": [cup, pot]])
      try fixture.add("Cup", key: 2, links: ["near": [pot]])
      try fixture.add("Pot", key: 8, links: ["labels": [label], "friends": [cup]])
      try fixture.add("Cup", links: ["box": [box]])
    }
    #expect(
      try rows("SELECT Z_PK, Z_ENT, ZBOX, Z_FOK_BOX, Z4_NEAR, ZNEAR FROM ZTHING", path, schema)
        == [
          [.integer(2), .integer(5), .integer(1), .integer(3072), .integer(6), .integer(8)],
          [.integer(8), .integer(6), .integer(1), .integer(2048), .null, .null],
          [.integer(9), .integer(5), .integer(1), .integer(4096), .null, .null],
        ])
    #expect(
      try rows("SELECT ZLID, ZCOUNT FROM ZBOX", path, schema) == [[.integer(1), .integer(3)]])
    #expect(try rows("SELECT Z1LOOSE FROM ZLABEL", path, schema) == [[.integer(1)]])
    #expect(try pairs(of: "Label", "things", path, schema) == ["1 2 2048", "1 8 3072"])
    #expect(try pairs(of: "Thing", "friends", path, schema) == ["2 8 ", "8 2 "])
    #expect(
      try rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 1", path, schema)
        == [[.text("Thing"), .integer(9)]])
  }

  /// The pairs of a relationship, each with its place.
  private func pairs(
    of entity: String, _ name: String, _ path: String, _ schema: StoreSchema
  ) throws -> [String] {
    guard case .manyToMany(let link)? = schema.entity(named: entity)?[name] else { return [] }
    return try rows(
      """
      SELECT \(link.source) || ' ' || \(link.destination) || ' ' || \(link.position ?? "''")
      FROM \(link.table) ORDER BY 1
      """, path, schema
    ).compactMap { $0[0].string }
  }

  @Test(
    "what the model has no place for is refused",
    arguments: [
      ("Bux", [:], [:], "did you mean Box?"), ("Thing", [:], [:], "is abstract"),
      ("Cup", ["size": .integer(1)], [:], "no such attribute"),
      ("Cup", [:], ["lid": []], "no stored relationship"),
    ] as [(String, [String: AttributeValue], [String: [ObjectID]], String)])
  func misfits(
    entity: String, values: [String: AttributeValue], links: [String: [ObjectID]], why: String
  ) throws {
    let schema = try M.schema(Self.linked)
    let error = #expect(throws: Failure.self) {
      try make(schema) { try $0.add(entity, values, links: links) }
    }
    #expect(error?.why.contains(why) == true, "\(error?.why ?? "")")
  }

  @Test(
    "a link that leads nowhere is refused",
    arguments: [
      ("Lid", "box", ObjectID(entity: "Box", key: 7)),
      ("Box", "things", ObjectID(entity: "Cup", key: 7)),
      ("Box", "loose", ObjectID(entity: "Label", key: 7)),
      ("Label", "things", ObjectID(entity: "Cup", key: 7)),
      ("Lid", "box", ObjectID(entity: "Lid", key: 1)),
    ])
  func nowhere(entity: String, relationship: String, other: ObjectID) throws {
    let schema = try M.schema(Self.linked)
    let error = #expect(throws: Failure.self) {
      try make(schema) { try $0.add(entity, links: [relationship: [other]]) }
    }
    #expect(error?.what == "cannot link objects")
  }

  @Test("no object has two places in relationships that give it one")
  func twice() throws {
    let schema = try M.schema(Self.linked)
    for relationship in ["lid", "things"] {
      let error = #expect(throws: Failure.self) {
        try make(schema) { fixture in
          let lid = try fixture.add("Lid")
          let cup = try fixture.add("Cup")
          let other = relationship == "lid" ? lid : cup
          for _ in 1...2 { try fixture.add("Box", links: [relationship: [other]]) }
        }
      }
      #expect(error?.what == "cannot link objects", "\(relationship)")
    }
  }

  @Test("a key is given once")
  func keys() throws {
    let schema = try M.schema(Self.linked)
    let error = #expect(throws: Failure.self) {
      try make(schema) { fixture in
        try fixture.add("Cup", key: 3)
        try fixture.add("Pot", key: 3)
      }
    }
    #expect(error?.subject == "entity Pot, Z_PK 3")
  }
}
