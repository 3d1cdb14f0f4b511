import Formats
import StoreTestSupport
import Testing

@testable import CoreDataStore

private typealias M = SchemaModels

@Suite("Metadata of a new store") struct NewStoreMetadataTests {
  private func entries(
    framework: FrameworkVersion = .newest, _ own: [String: PropertyList] = [:]
  ) throws -> [String: PropertyList] {
    let schema = try M.schema(M.entity("A"), M.entity("B"), framework: framework)
    let metadata = try NewStoreMetadata(schema, NewStoreContents(metadata: own))
    #expect(metadata.modelCache == nil)
    return try #require(try PropertyList(reading: metadata.plist).dictionary)
  }

  @Test("it has what every store has")
  func common() throws {
    let entries = try entries()
    let hashes = try #require(entries["NSStoreModelVersionHashes"]?.dictionary)
    #expect(
      hashes.keys.sorted() == ["A", "B"] && hashes.values.allSatisfy { $0.data?.count == 32 })
    #expect(entries["NSStoreModelVersionHashesVersion"] == .integer(3))
    #expect(entries["NSStoreType"] == .string("SQLite"))
    #expect(entries["_NSAutoVacuumLevel"] == .string("2"))
    #expect(entries["NSPersistenceMaximumFrameworkVersion"] == .integer(1522))
  }

  @Test(
    "each framework writes the digests it knew",
    arguments: [(847, false, false), (1000, true, false), (1344, true, true)]
      as [(
        Int64, Bool, Bool
      )])
  func frameworks(number: Int64, digest: Bool, checksum: Bool) throws {
    let entries = try entries(framework: FrameworkVersion(number))
    #expect(entries["NSPersistenceFrameworkVersion"] == .integer(number))
    #expect((entries["NSStoreModelVersionHashesDigest"] != nil) == digest)
    #expect((entries["NSStoreModelVersionChecksumKey"] != nil) == checksum)
  }

  @Test("entries of the application stay, those of Core Data are its own")
  func own() throws {
    let entries = try entries([
      "mine": .integer(1), "NSStoreType": .string("XML"), "NSStoreModelVersionHashes": .null,
    ])
    #expect(entries["mine"] == .integer(1) && entries["NSStoreType"] == .string("SQLite"))
    #expect(entries["NSStoreModelVersionHashes"]?.dictionary?.count == 2)
  }

  @Test("an archive of another model, or of none, is refused")
  func otherArchive() throws {
    var maker = ArchiveMaker()
    let entity = maker.add("NSEntityDescription", ["NSEntityName": maker.add(.string("C"))])
    let entities = maker.add(table: ["C": entity])
    let root = maker.add("NSManagedObjectModel", ["NSEntities": entities])
    let schema = try M.schema(M.entity("A"))
    for archive in [try maker.bytes(root: root), [1, 2, 3]] {
      #expect(throws: Failure.self) {
        try NewStoreMetadata(schema, NewStoreContents(modelCache: .archive(archive)))
      }
    }
  }
}
