import StorePipeline
import TestSupport
import Testing

@Suite("Metadata in a report", .temporaryFolder)
struct MetadataEntryTests {
  @Test("the application's entries have values only if wanted", arguments: [true, false])
  func values(wanted: Bool) throws {
    let entry = try #require(
      try StoreReportTests.notes(values: wanted).metadata.first { $0.key == "lastOpenedBy" })
    #expect(entry.writer == .application && entry.kind == "string, 8 B")
    #expect(entry.value == (wanted ? #""somebody""# : nil))
  }

  @Test("Core Data's entries always have values") func own() throws {
    let entries = try StoreReportTests.notes().metadata.filter { $0.writer == .coreData }
    #expect(entries.count > 5 && entries.allSatisfy { $0.value != nil })
  }

  @Test("version hashes are reported entity by entity") func hashes() throws {
    let entries = try StoreReportTests.notes().metadata
    let hashes = try #require(entries.first { $0.key == "NSStoreModelVersionHashes" }?.hashes)
    #expect(hashes.map(\.entity) == ["Folder", "Note", "Tag"])
    #expect(hashes[0].hash == "SA/8CxvmwKFnQMAdx11mUnoG7TjuuEgf1qqINS54mdc=")
    #expect(entries.filter { !$0.hashes.isEmpty }.count == 1)
  }
}
