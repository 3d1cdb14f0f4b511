import CoreDataStore
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Objects that a script has made and that are not written yet", .temporaryFolder)
struct UnwrittenObjectsTests {
  private static func link(_ name: String, _ destination: String, _ inverse: String) -> String {
    "<relationship name=\"\(name)\" destinationEntity=\"\(destination)\" inverseName=\"\(inverse)\""
      + " inverseEntity=\"\(destination)\" optional=\"YES\" maxCount=\"1\"/>"
  }
  private static let old = "<entity name=\"Item\"/>"
  private static let new =
    "<entity name=\"Item\">" + link("picture", "Picture", "item") + "</entity>"
    + "<entity name=\"Picture\">" + MappingModels.attribute("data", "Binary", "optional=\"YES\"")
    + link("item", "Item", "picture") + "</entity>"

  /// A store of one item, in whose hands the body is.
  private func inHand(
    _ body: @escaping (ScriptedCopy, SourceObject, Connection) throws -> Void
  ) throws -> Connection {
    let sample = try CopySample(
      Self.old, Self.new, rows: "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)"
    ) { $0.scripts = [ScriptClaim(entity: "Item", makesObjects: true)] }
    let builder = try sample.builder()
    let copy = try ScriptedCopy(builder, entity: "Item")
    while try copy.chunk(
      state: { nil },
      { source in
        try? copy.savepoint { try body(copy, source, builder.connection) }
      })
    {}
    return builder.connection
  }

  private func pictures(_ connection: Connection) throws -> [[Value]] {
    try connection.rows("SELECT Z_PK, ZITEM, length(ZDATA) FROM main.ZPICTURE ORDER BY 1")
  }

  private func item(_ connection: Connection) throws -> Int64? {
    try connection.integer("SELECT ZPICTURE FROM main.ZITEM")
  }

  @Test("are written once, with their values and links, when their object is done")
  func once() throws {
    let connection = try inHand { copy, source, connection in
      let (item, picture) = (try copy.makeDefault(source), try copy.make("Picture", for: source))
      try copy.set(picture, ["data": .binary([1, 2, 3])])
      try copy.connect(item, "picture", [picture])
      #expect(try pictures(connection).isEmpty)
    }
    #expect(try pictures(connection) == [[.integer(1), .integer(1), .integer(3)]])
    #expect(try item(connection) == 1)
  }

  @Test("are found by a link that is given to another")
  func partner() throws {
    let connection = try inHand { copy, source, connection in
      let item = try copy.makeDefault(source)
      let (first, second) = (try copy.make("Picture"), try copy.make("Picture"))
      try copy.connect(item, "picture", [first])
      try copy.connect(second, "item", [item])
      try copy.connect(first, "item", [item])
    }
    #expect(
      try pictures(connection) == [
        [.integer(1), .integer(1), .null], [.integer(2), .null, .null],
      ])
    #expect(try item(connection) == 1)
  }

  @Test("are written when something is asked that they may answer")
  func asked() throws {
    _ = try inHand { copy, source, connection in
      let picture = try copy.make("Picture", for: source)
      #expect(try copy.value("data", ofTarget: picture) == .null)
      #expect(try pictures(connection).count == 1)
      _ = try copy.make("Picture")
      #expect(try copy.count("Picture", where: nil) == 2)
      _ = try copy.make("Picture")
      #expect(try copy.find("Picture", where: nil, limit: 9).count == 3)
    }
  }

  @Test("are written when they are large")
  func large() throws {
    _ = try inHand { copy, source, connection in
      let picture = try copy.make("Picture", for: source)
      try copy.set(picture, ["data": .binary([UInt8](repeating: 0, count: 9 << 20))])
      #expect(try pictures(connection).count == 1)
    }
  }

  @Test("are gone with what is undone")
  func undone() throws {
    struct Refusal: Error {}
    let connection = try inHand { copy, source, _ in
      _ = try copy.make("Picture", for: source)
      throw Refusal()
    }
    #expect(try pictures(connection).isEmpty)
  }
}
