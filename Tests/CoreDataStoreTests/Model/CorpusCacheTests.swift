import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Models cached in the corpus's stores",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)),
  .temporaryFolder)
struct CorpusCacheTests {
  private struct Found {
    let model: Model
    let hashes: [String: VersionHash]
    let metadata: PropertyList
  }

  /// The cached model of a copy of a store, and what its metadata records; nil without a cache.
  private func find(_ store: String) throws -> Found? {
    let copy = TemporaryFolder.url.appending(path: "\(UUID().uuidString).sqlite").path
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store + suffix) {
      try FileManager.default.copyItem(atPath: store + suffix, toPath: copy + suffix)
    }
    let connection = try Connection(path: copy, mode: .foreignWritable)
    guard case .blob(let list) = try connection.scalar("SELECT Z_PLIST FROM Z_METADATA"),
      case .integer(1) = try connection.scalar(
        "SELECT count(*) FROM sqlite_master WHERE name = 'Z_MODELCACHE'"),
      case .blob(let cache) = try connection.scalar("SELECT Z_CONTENT FROM Z_MODELCACHE")
    else { return nil }
    let metadata = try PropertyList(reading: list)
    let hashes = (metadata["NSStoreModelVersionHashes"]?.dictionary ?? [:]).compactMapValues {
      $0.data.flatMap(VersionHash.init(bytes:))
    }
    let model = try CompiledModelReader.readCache(cache, name: "cached", recordedHashes: hashes)
    return Found(model: model, hashes: hashes, metadata: metadata)
  }

  @Test("every cached model has the hashes, digest and checksum of its store's metadata")
  func hashes() throws {
    var stores = 0
    for path in CorpusModels.paths(endingIn: ".sqlite") {
      guard let found = try find(CorpusModels.file(path)) else {
        #expect(path.contains("MagicalRecord"))
        continue
      }
      stores += 1
      let hashes = VersionHashes(of: found.model)
      #expect(hashes.uncertain.isEmpty, "\(path)")
      #expect(hashes.entities == found.hashes, "\(path)")
      let digest = found.metadata["NSStoreModelVersionHashesDigest"]?.string
      let checksum = found.metadata["NSStoreModelVersionChecksumKey"]?.string
      #expect(digest == nil || digest == hashes.digest, "\(path)")
      #expect(checksum == nil || checksum == hashes.checksum, "\(path)")
    }
    #expect(stores >= 15)
  }

  @Test("a store's hashes name its version among the model's files")
  func recognition() throws {
    let folder = "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
    let source = try ModelSource([CorpusModels.file(folder)])
    for path in CorpusModels.paths(endingIn: ".sqlite") where path.contains("Bookmarks_V") {
      let found = try #require(try find(CorpusModels.file(path)))
      let model = try #require(try source.model(matching: found.hashes), "\(path)")
      let difference = ModelDifference(from: model, to: found.model)
      #expect(!difference.hashChanges, "\(path)")
      #expect(difference.isEmpty, "\(path)")
    }
  }

  @Test("derived attributes and compiled validation predicates are read")
  func derivedAttributes() throws {
    let path = try #require(
      CorpusModels.paths(endingIn: "SampleModel2_V1.sqlite").first)
    let model = try #require(try find(CorpusModels.file(path))).model
    let book = try #require(model.entity(named: "Book"))
    let count = book.attribute(named: "pagesCount")?.derivation?.expression
    #expect(count == .function("count:", [.keyPath("pages")]))
    #expect(
      book.attribute(named: "title")?.validation.map(\.description)
        == ["at least 3 long", "at most 50 long", "SELF CONTAINS \"title\""])
    #expect(model.entity(named: "GraphicNovel")?.attribute(named: "pagesCount") == nil)
    #expect(Array(model.configurations.keys) == ["SampleConfigurationV1"])
  }

  @Test("a cached model written as XML reads back to the same hashes")
  func extraction() throws {
    for path in CorpusModels.paths(endingIn: ".sqlite") {
      guard let found = try find(CorpusModels.file(path)) else { continue }
      let writer = try ModelWriter(found.model)
      let written = try SourceModelReader.read(Array(writer.xml.utf8), name: "cached")
      #expect(VersionHashes(of: written).entities == found.hashes, "\(path)")
    }
  }
}
