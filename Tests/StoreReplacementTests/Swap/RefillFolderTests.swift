import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import TestSupport
import Testing

@Suite("The files of objects that are retried", .temporaryFolder) struct RefillFolderTests {
  @Test("store and backup are copied, and what only the backup has of large values is added")
  func copies() throws {
    let sample = try SwapSample()
    let state = try #require(try RunState.read(sample.folder))
    let backup = try #require(try Swap(sample.folder, state).run().backup)
    let before = try StoreBackup.read(backup)
    let folder = sample.folder
    let record = try folder.copyForRefill(from: before, wait: .seconds(1))
    for path in [folder.sourcePath, folder.nextPath] {
      let copy = try Connection(path: path, mode: .foreign)
      #expect(try copy.pageImage() == record.image)
      try copy.close()
    }
    let basis = try Connection(path: folder.basisPath, mode: .foreign)
    #expect(try basis.pageImage() == before.image)
    try basis.close()
    let next = try Connection(path: folder.nextPath, mode: .own(create: false))
    let reference = try #require(ExternalReference(SwapSample.onlyOld))
    try next.run(
      "UPDATE ZPERSON SET ZPICTURE = ?1 WHERE Z_PK = 9", [.blob(reference.stored)])
    try next.close()
    try folder.placeRefilledExternals(
      from: try StoreFiles(before.mainPath).externalDataFolder)
    let staged = try FileManager.default.contentsOfDirectory(atPath: folder.nextExternals)
    #expect(staged == [SwapSample.onlyOld])
    try folder.removeRefill()
    #expect(!FileManager.default.fileExists(atPath: folder.basisPath))
  }
}
