import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

private typealias M = MappingModels

@Suite("Objects for scripts", .temporaryFolder) struct ScriptedCopyTests {
  private static let optional = "optional=\"YES\""
  private static func relationship(
    _ name: String, _ destination: String, _ inverse: String, _ more: String
  ) -> String {
    "<relationship name=\"\(name)\" destinationEntity=\"\(destination)\" inverseName=\"\(inverse)\""
      + " inverseEntity=\"\(destination)\" optional=\"YES\" \(more)/>"
  }
  private static let one = "maxCount=\"1\""
  private static let many = "toMany=\"YES\""

  private static let item =
    M.attribute("name", "String", optional) + M.attribute("image", "Binary", optional)
    + relationship("box", "Box", "items", one) + relationship("tags", "Tag", "items", many)
  private static let box =
    "<entity name=\"Box\">" + M.attribute("name", "String", optional)
    + relationship("items", "Item", "box", many + " ordered=\"YES\"") + "</entity>"
  private static let tag =
    "<entity name=\"Tag\">" + relationship("items", "Item", "tags", many) + "</entity>"
  private static let photo =
    "<entity name=\"Photo\">" + M.attribute("data", "Binary", optional)
    + M.attribute("name", "String", optional)
    + M.attribute("count", "Integer 16", optional + " defaultValueString=\"3\"")
    + relationship("item", "Item", "photo", one) + "</entity>"

  private func sample(_ rows: String = Self.rows) throws -> CopySample {
    try CopySample(
      "<entity name=\"Item\">\(Self.item)</entity>\(Self.box)\(Self.tag)",
      "<entity name=\"Item\">\(Self.item)\(Self.relationship("photo", "Photo", "item", Self.one))"
        + "</entity>\(Self.box)\(Self.tag)\(Self.photo)",
      rows: rows
    ) { $0.scripts = [ScriptClaim(entity: "Item", makesObjects: true)] }
  }

  private static let rows = """
    INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'b');
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (4, 3, 1), (5, 3, 1);
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZIMAGE, ZBOX, Z_FOK_BOX) VALUES
    (1, 2, 6, 'one', x'01', 1, 4096), (2, 2, NULL, 'two', NULL, 1, 2048),
    (3, 2, 1, NULL, NULL, 9, 1);
    INSERT INTO Z_2TAGS (Z_2ITEMS, Z_3TAGS) VALUES (1, 5), (1, 4);
    """

  private func all(
    _ sample: CopySample, _ builder: StoreBuilder, limits: ChunkLimits = ChunkLimits(),
    _ body: (ScriptedCopy, SourceObject) throws -> Void
  ) throws {
    let copy = try ScriptedCopy(builder, entity: "Item", limits: limits)
    while try copy.chunk(state: { nil }, { try body(copy, $0) }) {}
  }

  @Test("values and links of the source are read, of other objects too")
  func reads() throws {
    let sample = try sample()
    var names: [AttributeValue] = []
    try all(sample, try sample.builder()) { copy, item in
      names.append(try item.value("name"))
      let box = try item.destination("box")
      #expect(box == (item.id.key == 3 ? nil : ObjectID(entity: "Box", key: 1)))
      #expect(
        try item.destinations("tags").map(\.key) == (item.id.key == 1 ? [4, 5] : []))
      guard let box, let object = try copy.source(box) else { return }
      #expect(try object.value("name") == .string("b"))
      #expect(try object.destinations("items").map(\.key) == [2, 1])
      #expect(try copy.source(ObjectID(entity: "Box", key: 2)) == nil)
    }
    #expect(names == [.string("one"), .string("two"), .null])
  }

  @Test("an unknown property is an error with the nearest name")
  func unknown() throws {
    let sample = try sample()
    try all(sample, try sample.builder()) { copy, item in
      let value = #expect(throws: Failure.self) { try item.value("nam") }
      #expect(value?.why.contains("did you mean name") == true)
      #expect(throws: Failure.self) { try item.destination("tags") }
      #expect(throws: Failure.self) { try item.destinations("box") }
      let object = try copy.makeDefault(item)
      #expect(throws: Failure.self) { try copy.set(object, ["nam": .null]) }
      #expect(throws: Failure.self) { try copy.set(object, ["name": .integer(1)]) }
      #expect(throws: Failure.self) { try copy.connect(object, "boxes", []) }
      #expect(throws: Failure.self) { try copy.connect(object, "box", [object]) }
      #expect(throws: Failure.self) { try copy.make("Itm") }
    }
  }

  @Test("the object that the mapping alone would make keeps its key; a second one gets a new one")
  func makesDefault() throws {
    let sample = try sample()
    let builder = try sample.builder()
    try all(sample, builder) { copy, item in
      let first = try copy.makeDefault(item)
      #expect(first == ObjectID(entity: "Item", key: item.id.key))
      let second = try copy.makeDefault(item)
      #expect(second.key > 3)
      #expect(try copy.destinations(of: item.id) == [first, second])
      let error = #expect(throws: Failure.self) { try copy.makeDefault(item, as: "Photo") }
      #expect(error?.why == "The mapping alone makes no Photo from it.")
    }
    let connection = builder.connection
    #expect(
      try connection.rows("SELECT ZNAME, ZIMAGE, Z_OPT FROM main.ZITEM WHERE Z_PK < 4") == [
        [.text("one"), .blob([1]), .integer(6)], [.text("two"), .null, .null],
        [.null, .null, .integer(1)],
      ])
    #expect(try connection.integer("SELECT count(*) FROM main.ZPHOTO") == 0)
  }

  @Test("objects of their own, with values, and links in both directions")
  func makes() throws {
    let sample = try sample()
    let builder = try sample.builder()
    try CopySample.copyAll(builder)
    try builder.connection.execute("DELETE FROM main.ZITEM")
    try all(sample, builder) { copy, item in
      let object = try copy.makeDefault(item)
      let photo = try copy.make("Photo", for: item)
      try copy.set(photo, ["data": .binary([9]), "name": .string("p")])
      try copy.connect(object, "photo", [photo])
      try copy.connect(object, "box", [ObjectID(entity: "Box", key: 1)])
      try copy.connect(
        object, "tags", [ObjectID(entity: "Tag", key: 5), ObjectID(entity: "Tag", key: 4)])
    }
    let connection = builder.connection
    #expect(
      try connection.rows(
        "SELECT Z_PK, ZITEM, ZDATA, ZNAME, ZCOUNT, Z_OPT FROM main.ZPHOTO ORDER BY Z_PK") == [
          [.integer(1), .integer(1), .blob([9]), .text("p"), .integer(3), .integer(1)],
          [.integer(2), .integer(2), .blob([9]), .text("p"), .integer(3), .integer(1)],
          [.integer(3), .integer(3), .blob([9]), .text("p"), .integer(3), .integer(1)],
        ])
    #expect(
      try connection.rows("SELECT ZPHOTO, ZBOX, Z_FOK_BOX FROM main.ZITEM ORDER BY Z_PK") == [
        [.integer(1), .integer(1), .integer(2048)], [.integer(2), .integer(1), .integer(3072)],
        [.integer(3), .integer(1), .integer(4096)],
      ])
    #expect(try connection.integer("SELECT count(*) FROM main.Z_2TAGS") == 6)
  }

  @Test("the partners of a link between two are released when it moves")
  func oneToOne() throws {
    let sample = try sample()
    let builder = try sample.builder()
    try all(sample, builder) { copy, item in
      let object = try copy.makeDefault(item)
      let photo =
        item.id.key == 1
        ? try copy.make("Photo") : ObjectID(entity: "Photo", key: 1)
      try copy.connect(object, "photo", [photo])
    }
    let connection = builder.connection
    #expect(
      try connection.rows("SELECT ZPHOTO FROM main.ZITEM ORDER BY Z_PK") == [
        [.null], [.null], [.integer(1)],
      ])
    #expect(try connection.integer("SELECT ZITEM FROM main.ZPHOTO") == 3)
    let copy = try ScriptedCopy(builder, entity: "Item")
    try copy.connect(ObjectID(entity: "Item", key: 3), "photo", [])
    #expect(try connection.rows("SELECT ZITEM FROM main.ZPHOTO") == [[.null]])
  }

  @Test("a chunk is kept whole or not at all, and the next run resumes with the saved state")
  func chunks() throws {
    struct Stop: Error {}
    let sample = try sample()
    do {
      let builder = try sample.builder()
      let copy = try ScriptedCopy(builder, entity: "Item", limits: ChunkLimits(rows: 1))
      #expect(copy.savedState == nil && copy.total == 3)
      #expect(try copy.chunk(state: { [1] }, { _ = try copy.makeDefault($0) }))
      #expect(throws: Stop.self) {
        try copy.chunk(state: { [2] }) { item in
          _ = try copy.makeDefault(item)
          throw Stop()
        }
      }
      #expect(copy.rows == 1 && copy.savedState == [1])
    }
    let builder = try sample.builder()
    let copy = try ScriptedCopy(builder, entity: "Item")
    #expect(copy.rows == 1 && copy.savedState == [1])
    var seen: [Int64] = []
    while try copy.chunk(
      state: { [3] },
      { item in
        seen.append(item.id.key)
        _ = try copy.makeDefault(item)
      })
    {}
    #expect(seen == [2, 3] && copy.savedState == [3] && copy.rows == 3)
    #expect(try builder.connection.integer("SELECT count(*) FROM main.ZITEM") == 3)
  }

  @Test("what was done for one object is undone alone")
  func savepoint() throws {
    struct Skip: Error {}
    let sample = try sample()
    let builder = try sample.builder()
    try all(sample, builder) { copy, item in
      do {
        try copy.savepoint {
          _ = try copy.makeDefault(item)
          if item.id.key == 2 { throw Skip() }
        }
      } catch is Skip {}
    }
    let keys = try builder.connection.rows("SELECT Z_PK FROM main.ZITEM ORDER BY Z_PK")
    #expect(keys == [[.integer(1)], [.integer(3)]])
    #expect(try builder.connection.integer("SELECT count(*) FROM pipeline_objects") == 2)
  }
}
