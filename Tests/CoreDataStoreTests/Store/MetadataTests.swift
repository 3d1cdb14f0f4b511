import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Metadata", .temporaryFolder) struct MetadataTests {
  private func store(_ change: (inout [String: PropertyList]) -> Void) throws -> String {
    var entries = StoreSample.metadata(of: try StoreSample.model())
    change(&entries)
    return try StoreSample.make(entries: entries)
  }

  @Test("keys of Core Data, of iCloud and of the application are distinguished")
  func keys() throws {
    let path = try store { entries in
      entries["com.apple.coredata.ubiquity.token"] = .string("x")
      entries["MyApp.migrated"] = .bool(true)
      entries["PipelineLog"] = .array([.dictionary(["run": .string("1")])])
      entries["NSPersistentStoreDeferredLightweightMigrationOptionKey"] = .bool(true)
    }
    let metadata = try Store(path).metadata
    #expect(metadata.ubiquityKeys == ["com.apple.coredata.ubiquity.token"])
    #expect(metadata.applicationKeys == ["MyApp.migrated"])
    #expect(metadata.log.count == 1)
    #expect(metadata.hasDeferredMigration)
    #expect(metadata.framework == 1344)
    #expect(metadata.identifiers == ["1"])
    #expect(try PropertyList(reading: metadata.plist) == .dictionary(metadata.entries))
  }

  static let broken: [(String, PropertyList?)] = [
    ("NSStoreModelVersionHashes", nil), ("NSStoreModelVersionHashes", .dictionary([:])),
    ("NSStoreModelVersionHashes", .dictionary(["A": .data([1])])),
    ("NSStoreModelVersionHashes", .dictionary(["A": .string("x")])),
    ("NSStoreModelVersionHashesVersion", .integer(4)),
    ("NSStoreModelVersionHashesDigest", .string("AAAA")),
    ("NSStoreModelVersionChecksumKey", .string("AAAA")),
  ]

  @Test("entries that cannot be right are refused", arguments: broken)
  func wrongEntries(key: String, value: PropertyList?) throws {
    let error = StoreSample.error(opening: try store { $0[key] = value })
    #expect(error?.kind == .unusable)
    #expect(error?.what == "cannot read the metadata")
  }
}
