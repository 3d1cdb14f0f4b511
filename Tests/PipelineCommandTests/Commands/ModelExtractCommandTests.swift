import CoreDataStore
import Foundation
import TestSupport
import Testing

@testable import pipeline

@Suite("pipeline model extract", .temporaryFolder)
struct ModelExtractCommandTests {
  @Test(
    "the model of every store of the corpus is read back with the store's hashes",
    .enabled(if: OutsideMaterial.corpus.isThere, "set PIPELINE_CORPUS to a folder of stores"),
    arguments: CorpusStore.all)
  func corpus(store: String) async throws {
    let path = try CorpusStore.copy(store)
    let target = TemporaryFolder.url.appending(path: "Mine.xcdatamodel").path
    let said = await Program.pipeline.say(["model", "extract", path, "-o", target])
    let opened = try Store(path)
    guard case .model(let model) = try opened.cachedModel() else {
      #expect(said.status == .unusable && said.errors.contains("Give the model's own file"))
      return
    }
    #expect(said.status == .done && said.errors.contains("written: \(target)"))
    let hashes = VersionHashes(of: try ModelFile(target).current).entities
    let certain = opened.metadata.hashes.filter {
      VersionHashes(of: model).uncertain[$0.key] == nil
    }
    #expect(!certain.isEmpty && certain.allSatisfy { hashes[$0.key] == $0.value })
  }
}
