import CoreDataStore
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Links that scripts set", .temporaryFolder) struct ScriptedLinksTests {
  private static func relationship(
    _ name: String, _ destination: String, _ inverse: String, _ more: String
  ) -> String {
    "<relationship name=\"\(name)\" destinationEntity=\"\(destination)\" inverseName=\"\(inverse)\""
      + " inverseEntity=\"\(destination)\" optional=\"YES\" \(more)/>"
  }
  private static let one = "maxCount=\"1\""
  private static let many = "toMany=\"YES\""
  private static let ordered = "toMany=\"YES\" ordered=\"YES\""

  private static let xml =
    "<entity name=\"Item\">" + MappingModels.attribute("name", "String", "optional=\"YES\"")
    + relationship("box", "Box", "items", one) + relationship("tags", "Tag", "items", ordered)
    + relationship("friends", "Item", "friends", many) + "</entity>"
    + "<entity name=\"Box\">" + relationship("items", "Item", "box", ordered) + "</entity>"
    + "<entity name=\"Tag\">" + relationship("items", "Item", "tags", many) + "</entity>"

  /// A box with the items 1, 2 and 3 in it, of which the first has both tags and is a friend of
  /// the second.
  private static let rows = """
    INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (4, 3, 1), (5, 3, 1);
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZBOX, Z_FOK_BOX) VALUES
    (1, 2, 1, 1, 2048), (2, 2, 1, 1, 3072), (3, 2, 1, 1, 4096);
    INSERT INTO Z_2TAGS (Z_2ITEMS, Z_3TAGS, Z_FOK_3TAGS) VALUES (1, 4, 2048), (1, 5, 3072);
    INSERT INTO Z_2FRIENDS (Z_2FRIENDS, REFLEXIVE) VALUES (1, 2), (2, 1);
    """

  private func builder(scripted: Bool) throws -> StoreBuilder {
    let sample = try CopySample(Self.xml, Self.xml, rows: Self.rows) {
      if scripted { $0.scripts = [ScriptClaim(entity: "Item", makesObjects: true)] }
    }
    let builder = try sample.builder()
    for object in builder.mapping.objects where !scripted || object.source != "Item" {
      let copy = try builder.copy(of: object)
      while try copy.chunk() {}
    }
    return builder
  }

  private func item(_ key: Int64) -> ObjectID { ObjectID(entity: "Item", key: key) }
  private func tag(_ key: Int64) -> ObjectID { ObjectID(entity: "Tag", key: key) }
  private let box = ObjectID(entity: "Box", key: 1)

  @Test("a list is what a to-many leads to, in its order; what is not in it is let go")
  func sets() throws {
    let builder = try builder(scripted: false)
    let copy = try ScriptedCopy(builder, entity: "Item")
    func boxes() throws -> [[Int64?]] {
      try builder.connection.rows("SELECT Z_PK, ZBOX, Z_FOK_BOX FROM main.ZITEM ORDER BY 1")
        .map { $0.map(\.integer) }
    }
    try copy.connect(box, "items", [item(3), item(1), item(3)])
    #expect(try boxes() == [[1, 1, 3072], [2, nil, nil], [3, 1, 2048]])
    try copy.connect(item(2), "box", [box])
    #expect(try boxes()[1] == [2, 1, 4096])
    try copy.connect(item(3), "box", [box])
    #expect(try boxes()[2] == [3, 1, 2048])
    try copy.connect(box, "items", [])
    #expect(try boxes() == [[1, nil, nil], [2, nil, nil], [3, nil, nil]])
  }

  @Test("a list is what a table of pairs has for an object, on both sides of a pair of friends")
  func setsPairs() throws {
    let builder = try builder(scripted: false)
    _ = try LinkCopy(builder).run()
    let copy = try ScriptedCopy(builder, entity: "Item")
    func rows(_ sql: String) throws -> [[Int64?]] {
      try builder.connection.rows(sql).map { $0.map(\.integer) }
    }
    let tags = "SELECT Z_2ITEMS, Z_3TAGS, Z_FOK_3TAGS FROM main.Z_2TAGS ORDER BY 1, 2"
    let friends = "SELECT Z_2FRIENDS, REFLEXIVE FROM main.Z_2FRIENDS ORDER BY 1, 2"
    #expect(try rows(tags) == [[1, 4, 2048], [1, 5, 3072]])
    try copy.connect(item(1), "tags", [tag(5), tag(4)])
    #expect(try rows(tags) == [[1, 4, 3072], [1, 5, 2048]])
    try copy.connect(tag(4), "items", [item(2)])
    #expect(try rows(tags) == [[1, 5, 2048], [2, 4, 2048]])
    #expect(try rows(friends) == [[1, 2], [2, 1]])
    try copy.connect(item(1), "friends", [item(3), item(1)])
    #expect(try rows(friends) == [[1, 1], [1, 3], [3, 1]])
  }

  @Test("objects are linked one by one with an index of our own, which a finished store has not")
  func indexes() throws {
    let builder = try builder(scripted: true)
    func indexes() throws -> [String] {
      try builder.connection.rows(
        "SELECT name FROM main.sqlite_master WHERE name GLOB 'pipeline_link_*'"
      ).compactMap { $0[0].string }
    }
    let copy = try ScriptedCopy(builder, entity: "Item", limits: ChunkLimits(rows: 1))
    struct Skip: Error {}
    while try copy.chunk(
      state: { nil },
      { source in
        try? copy.savepoint {
          let object = try copy.makeDefault(source)
          try copy.connect(object, "box", [box])
          if source.id.key == 2 { throw Skip() }
        }
      })
    {}
    #expect(try indexes() == ["pipeline_link_ZITEM_ZBOX_Z_FOK_BOX"])
    #expect(
      try builder.connection.rows("SELECT Z_PK, Z_FOK_BOX FROM main.ZITEM") == [
        [.integer(1), .integer(2048)], [.integer(3), .integer(3072)],
      ])
    _ = try StoreFinish(builder, FinishChoices()).run()
    let store = try Connection(path: builder.path, mode: .foreign)
    let names = try store.rows("SELECT name FROM sqlite_master").compactMap { $0[0].string }
    #expect(!names.isEmpty && !names.contains { $0.hasPrefix("pipeline") })
  }

  @Test("where a script made several objects, the mapping's entity has the links, and is counted")
  func several() throws {
    let parent =
      "<entity name=\"Thing\">" + Self.relationship("box", "Box", "things", Self.one) + "</entity>"
      + "<entity name=\"Item\" parentEntity=\"Thing\"/>"
      + "<entity name=\"Part\" parentEntity=\"Thing\"/>"
      + "<entity name=\"Box\">" + Self.relationship("things", "Thing", "box", Self.many)
      + "</entity>"
    let rows = """
      INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
      INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZBOX) VALUES (1, 3, 1, 1), (2, 3, 1, 1);
      """
    let sample = try CopySample(parent, parent, rows: rows) {
      $0.scripts = [ScriptClaim(entity: "Item", makesObjects: true)]
    }
    let builder = try sample.builder()
    for object in builder.mapping.objects where object.source == "Box" {
      while try builder.copy(of: object).chunk() {}
    }
    let copy = try ScriptedCopy(builder, entity: "Item")
    while try copy.chunk(
      state: { nil },
      { source in
        if source.id.key == 1 { _ = try copy.make("Part", for: source) }
        _ = try copy.makeDefault(source)
      })
    {}
    let counts = try LinkCopy(builder).run()
    #expect(counts == [LinkCount(relationship: counts[0].relationship, several: 1, kept: 2)])
    #expect(
      try builder.connection.rows("SELECT Z_PK, Z_ENT, ZBOX FROM main.ZTHING ORDER BY 1") == [
        [.integer(1), .integer(3), .integer(1)], [.integer(2), .integer(3), .integer(1)],
        [.integer(3), .integer(4), .null],
      ])
  }
}
