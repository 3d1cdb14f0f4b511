import Foundation
import SQLite
@testable import StoreReplacement
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Large values in the swap", .temporaryFolder) struct SwapBlobsTests {
  /// The blobs of a sample whose store is locked.
  private func locked<Result>(
    _ sample: SwapSample, _ body: (SwapBlobs, LockedStore, StagedContent) throws -> Result
  ) throws -> Result {
    let staged = try StagedContent(
      sample.folder, try #require(try RunState.read(sample.folder)))
    let store = try LockedStore(sample.folder, wait: SwapSample.wait)
    defer {
      try? store.close()
      try? staged.close()
    }
    return try body(
      SwapBlobs(sample.folder, try StoreFiles(sample.store), for: .run), store, staged)
  }

  private func names(_ sample: SwapSample) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sample.externals).sorted()
  }

  @Test("what only one of the stores has is found") func lists() throws {
    let sample = try SwapSample()
    try locked(sample) { blobs, store, staged in
      let (added, dropped) = (try blobs.toAdd(staged), try blobs.toDrop(store, staged))
      #expect(added == [SwapSample.onlyNew])
      #expect(dropped == [SwapSample.onlyOld])
    }
  }

  @Test("what is added twice is there once, and can be taken back") func takeBack() throws {
    let sample = try SwapSample()
    let before = try names(sample)
    try locked(sample) { blobs, store, _ in
      for _ in 0..<2 { try blobs.add([SwapSample.onlyNew], like: store) }
      let union = try names(sample)
      #expect(union == [SwapSample.both, SwapSample.onlyOld, SwapSample.onlyNew])
      try blobs.takeBack([SwapSample.onlyNew], from: store)
    }
    #expect(try names(sample) == before)
  }

  @Test("what the store refers to is not removed, and what is no file is left")
  func drop() throws {
    let sample = try SwapSample()
    let folder = "00000000-0000-4000-8000-0000000000FF"
    try FileManager.default.createDirectory(
      atPath: "\(sample.externals)/\(folder)", withIntermediateDirectories: false)
    try locked(sample) { blobs, store, _ in
      let all = [SwapSample.both, SwapSample.onlyOld, folder, SwapSample.onlyNew]
      let drop = try blobs.drop(all, from: store)
      #expect(drop.failures == [] && drop.shared == nil)
    }
    #expect(try names(sample) == [SwapSample.both, SwapSample.onlyOld, folder])
  }
}
