import CoreDataStore
import StoreTestSupport
import TestSupport
import Testing

@Suite(
  "Damaged model files of the corpus",
  .enabled(if: OutsideMaterial.corpus.isThere, Comment(rawValue: CorpusModels.advice)))
struct CorpusHostileTests {
  /// Reads, hashes and writes; anything but a model or a `Failure` is a fault.
  private func tryAll(_ bytes: [UInt8], isSource: Bool) {
    do {
      let model =
        try isSource
        ? SourceModelReader.read(bytes, name: "T") : CompiledModelReader.read(bytes, name: "T")
      _ = try ModelWriter(model)
    } catch {
      #expect(error is Failure)
    }
  }

  @Test("a compiled model cut short at every 64th byte is one error")
  func truncatedCompiled() throws {
    let path = try #require(CorpusModels.paths(endingIn: "SampleModel3_v3.mom").first)
    let bytes = try CorpusModels.bytes(path)
    for length in stride(from: 0, to: bytes.count, by: 64) {
      #expect(throws: Failure.self) {
        try CompiledModelReader.read(Array(bytes[..<length]), name: "T")
      }
    }
  }

  @Test("a model cut short or with a flipped bit is a model or one error")
  func flipped() throws {
    for (ending, isSource) in [("SampleModel3_v3.mom", false), ("SampleModel2.mom", false)] {
      let path = try #require(CorpusModels.paths(endingIn: ending).first)
      let bytes = try CorpusModels.bytes(path)
      for place in stride(from: 0, to: bytes.count, by: 7) {
        var damaged = bytes
        damaged[place] ^= UInt8(1 << (place % 8))
        tryAll(damaged, isSource: isSource)
      }
    }
  }

  @Test("a source model cut short at every 64th byte is one error")
  func truncatedSource() throws {
    let path = try #require(
      CorpusModels.paths(endingIn: "BookmarksModel 6.xcdatamodel/contents").first)
    let bytes = try CorpusModels.bytes(path)
    for length in stride(from: 0, to: bytes.count - 8, by: 64) {
      #expect(throws: Failure.self) {
        try SourceModelReader.read(Array(bytes[..<length]), name: "T")
      }
    }
  }

  @Test("a damaged mapping model is a mapping model or one error")
  func mapping() throws {
    let path = try #require(CorpusModels.paths(endingIn: "1to2.xcmappingmodel").first)
    let bytes = try CorpusModels.bytes(path + "/xcmapping.xml")
    for place in stride(from: 0, to: bytes.count, by: 997) {
      var damaged = bytes
      damaged[place] ^= UInt8(1 << (place % 8))
      for candidate in [damaged, Array(bytes[..<place])] {
        do {
          _ = try MappingModelReader.read(candidate)
        } catch {
          #expect(!error.why.isEmpty)
        }
      }
    }
  }
}
