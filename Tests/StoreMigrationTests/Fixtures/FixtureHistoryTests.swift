import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("The history of a made store", .temporaryFolder)
struct FixtureHistoryTests {
  private static let xml = """
    <?xml version="1.0"?><model documentVersion="1.0">
    <entity name="A"><attribute name="n" attributeType="String" optional="YES"/></entity>
    <entity name="B"><attribute name="n" attributeType="String" optional="YES"/></entity>
    </model>
    """

  @Test("every object was inserted, by one transaction an entity") func notes() throws {
    let path = TemporaryFolder.url.appending(path: "a.sqlite").path
    let schema = try StoreSchema(of: try SourceModelReader.read(Array(Self.xml.utf8), name: "M"))
    try StoreFixture.make(
      at: path, schema: schema, contents: NewStoreContents(keepsHistory: true)
    ) { store in
      for _ in 0..<3 { try store.add("A") }
      try store.add("B")
    }
    try FixtureHistory.note(path, schema, author: "Me", date: 1000)
    let connection = try Connection(path: path, mode: .foreign)
    let changes = try connection.rows(
      "SELECT ZENTITY, ZENTITYPK, ZTRANSACTIONID FROM ACHANGE ORDER BY Z_PK")
    #expect(changes.map { $0.map(\.integer) } == [[1, 1, 1], [1, 2, 1], [1, 3, 1], [2, 1, 2]])
    let highest = try connection.rows(
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT")
    #expect(highest.map { $0[0].integer } == [4, 2, 1])
    try connection.close()
    let store = try Store(path)
    let history = try store.facts(store.recognise()).history
    #expect(history?.transactions == 2)
    #expect(history?.changes == 4)
  }
}
