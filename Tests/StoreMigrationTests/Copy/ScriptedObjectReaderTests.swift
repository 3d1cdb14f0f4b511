@testable import StoreMigration
import StoreTestSupport
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Objects of the source read next to the copy", .temporaryFolder)
struct ScriptedObjectReaderTests {
  private static let body = """
    <entity name="Item">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="next" optional="YES" maxCount="1" destinationEntity="Item"
        inverseName="last" inverseEntity="Item"/>
      <relationship name="last" optional="YES" maxCount="1" destinationEntity="Item"
        inverseName="next" inverseEntity="Item"/>
    </entity>
    <entity name="Special" parentEntity="Item"/>
    """

  private static let rows = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNEXT) VALUES
      (1, 1, 1, 'a', 4), (3, 2, 1, 's', NULL), (4, 1, 1, 'b', NULL), (9, 1, 1, 'c', 1)
    """

  private func builder() throws -> StoreBuilder {
    try BuildSample(Self.body, Self.body, rows: Self.rows, in: TemporaryFolder.url) {
      $0.scripts = [ScriptClaim(entity: "Item", attributes: [], reads: [], makesObjects: true)]
    }.builder()
  }

  @Test("come by ranges of keys, with their values and links, and without those of other entities")
  func ranges() throws {
    let builder = try builder()
    let copy = try ScriptedCopy(builder, entity: "Item")
    let reader = try ScriptedObjectReader(try #require(try copy.objectSelection()))
    var found: [String] = []
    for keys in [1...4, 5...8, 9...20] as [ClosedRange<Int64>] {
      try reader.objects(of: keys) { object in
        let name = try object.value("name")
        let next = try object.destination("next")
        found.append("\(object.id.key) \(name) \(next?.key ?? 0)")
      }
    }
    #expect(
      found == [
        "1 \(AttributeValue.string("a")) 4", "4 \(AttributeValue.string("b")) 0",
        "9 \(AttributeValue.string("c")) 1",
      ])
  }

  @Test("are found by their ids, where they are there")
  func ids() throws {
    let builder = try builder()
    let copy = try ScriptedCopy(builder, entity: "Item")
    let reader = try ScriptedObjectReader(try #require(try copy.objectSelection()))
    let special = try reader.source(ObjectID(entity: "Special", key: 3))
    #expect(try special?.value("name") == .string("s"))
    #expect(try reader.source(ObjectID(entity: "Item", key: 3)) == nil)
  }

  @Test("tell which file of a value is missing")
  func missing() throws {
    let builder = try builder()
    let copy = try ScriptedCopy(builder, entity: "Item")
    let reader = try ScriptedObjectReader(try #require(try copy.objectSelection()))
    let reference = try #require(ExternalReference("5B7D3C1A-0000-4000-8000-000000000001"))
    let error = #expect(throws: Failure.self) { try reader.bytes(of: reference) }
    #expect(error?.subject.contains("5B7D3C1A") == true)
  }
}
