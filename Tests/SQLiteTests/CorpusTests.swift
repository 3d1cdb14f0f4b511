import Foundation
import SQLite
import TestSupport
import Testing

@Suite(
  "Real stores", .temporaryFolder,
  .enabled(if: OutsideMaterial.corpus.isThere, "set PIPELINE_CORPUS to a folder of real stores"))
struct CorpusTests {
  /// Copies of all stores, each in a folder of its own with what lies next to it.
  private func stores() throws -> [String] {
    let corpus = try #require(OutsideMaterial.corpus.folder)
    let files = FileManager.default.enumerator(at: corpus, includingPropertiesForKeys: nil)
    var copies: [String] = []
    while let store = files?.nextObject() as? URL {
      guard ["sqlite", "store", "db"].contains(store.pathExtension) else { continue }
      let folder = TemporaryFolder.url.appending(path: "\(copies.count)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for suffix in ["", "-wal", "-journal"] where exists(store.path + suffix) {
        try FileManager.default.copyItem(
          atPath: store.path + suffix, toPath: folder.path + "/store" + suffix)
      }
      copies.append(folder.path + "/store")
    }
    return copies
  }

  @Test("every store opens as a foreign file, is sound, and has the image of its copy")
  func opens() throws {
    let stores = try stores()
    try #require(!stores.isEmpty)
    for path in stores {
      let store = try Connection(path: path, mode: .foreign)
      #expect(try store.problems(.full) == [])
      let schema = try Schema(of: store)
      #expect(schema.table("Z_METADATA") != nil)
      for table in schema.objects(of: .table) {
        #expect(try !store.columns(of: table.name).isEmpty)
        _ = try store.indexes(of: table.name)
      }
      let copy = try Connection(path: path + "-copy", mode: .own(create: true))
      try store.copy(to: copy)
      #expect(try copy.pageImage() == store.pageImage())
    }
  }

  @Test("a walk over the pages proves every store sound, and counts what SQLite counts")
  func walks() throws {
    let stores = try stores()
    try #require(!stores.isEmpty)
    for path in stores {
      let store = try Connection(path: path, mode: .foreign)
      let found = try store.walk(.rows(counting: "Z_ENT"))
      let walk = try #require(found)
      let schema = try Schema(of: store)
      for table in schema.objects(of: .table) {
        let name = Identifier.quoted(table.name)
        let rows = try #require(walk.rows(of: table.name))
        #expect(try store.integer("SELECT count(*) FROM \(name)") == Int64(rows.count))
        let proof = try IndexProof(store).right(of: table.name, holding: table.name)
        let indexes = Set(schema.indexes(of: table.name).map(\.name))
        #expect(proof.isSubset(of: walk.rightIndexes), "\(path) \(table.name)")
        #expect(walk.rightIndexes.intersection(indexes).isSubset(of: proof))
      }
    }
  }
}
