import CoreDataStore
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Version hashes of the corpus",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)))
struct CorpusHashTests {
  private struct Vector: Decodable {
    let model: String
    let entity: String
    let hash: String
  }

  @Test("every recorded vector is computed from the model's XML")
  func vectors() throws {
    let file = URL(filePath: CorpusModels.file("hashes.json"))
    let vectors = try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
    #expect(vectors.count == 42)
    for vector in vectors {
      let model = try SourceModelReader.read(CorpusModels.bytes(vector.model), name: vector.model)
      let hashes = VersionHashes(of: model)
      #expect(
        hashes.entities[vector.entity]?.base64 == vector.hash, "\(vector.model) \(vector.entity)")
    }
  }
}
