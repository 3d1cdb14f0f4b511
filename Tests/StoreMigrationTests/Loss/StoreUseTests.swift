import CoreDataStore
import Foundation
import SQLite
import TestSupport
import Testing

@Suite("What a store has of something", .temporaryFolder)
struct StoreUseTests {
  private static let model = """
    <entity name="A">
      <attribute name="text" optional="YES" attributeType="String"/>
      <relationship name="one" optional="YES" maxCount="1" destinationEntity="A" \
    inverseName="many" inverseEntity="A"/>
      <relationship name="many" optional="YES" toMany="YES" destinationEntity="A" \
    inverseName="one" inverseEntity="A"/>
    </entity>
    """

  private func store() throws -> (store: Store, schema: StoreSchema) {
    let schema = try StoreSchema(of: MappingModels.model(Self.model))
    let path = TemporaryFolder.url.appending(path: "A.sqlite").path
    let new = try NewStore(at: path, schema: schema, contents: NewStoreContents())
    try new.make(.tables)
    try new.connection.execute(
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZONE) VALUES (1, 1, 1, 'x-coredata://a', NULL),
        (2, 1, 1, NULL, 1), (3, 1, 1, 'plain', 1);
      """)
    try new.make(.indexes)
    try new.close()
    return (try Store(path), schema)
  }

  @Test(
    "objects that have a value are counted, through each kind of property",
    arguments: [("text", 2), ("one", 2), ("many", 1), ("nothing", 0)])
  func values(property: String, count: Int64) throws {
    let (store, schema) = try store()
    let layout = try #require(schema.entity(named: "A"))
    #expect(try store.values(of: property, in: layout) == count)
  }

  @Test("texts that contain a word are found by attribute") func mentions() throws {
    let (store, schema) = try store()
    let found = try store.mentions(of: "x-coredata://", in: schema)
    #expect(found.map(\.attribute.description) == ["A.text"] && found.map(\.count) == [1])
  }

  @Test("a table whose columns stand in another order does not match its layout")
  func matches() throws {
    let (store, schema) = try store()
    let table = try #require(schema.tables.first)
    #expect(try store.matches(table))
    let other = try StoreSchema(
      of: MappingModels.model(Self.model.replacing("\"text\"", with: "\"note\"")))
    #expect(try !store.matches(try #require(other.tables.first)))
  }
}
