import CoreDataStore
import Foundation
import SQLite
import StoreReplacement
import TestSupport
import Testing

@Suite("The copies of a verification", .temporaryFolder) struct VerificationFolderTests {
  @Test("store and backup are copied, neither is changed, and nothing stays")
  func copies() throws {
    let sample = try SwapSample(journal: "WAL")
    let state = try #require(try RunState.read(sample.folder))
    let backup = try StoreBackup.read(
      try #require(try Swap(sample.folder, state).run().backup))
    let work = try VerificationFolder(of: sample.folder, against: backup)
    try FileManager.default.createDirectory(
      atPath: work.folder.path, withIntermediateDirectories: true)
    let bytes = try Data(contentsOf: URL(filePath: sample.store))
    #expect(try work.copy(Store(sample.store)) == state.next)
    let source = try Connection(path: work.folder.sourcePath, mode: .foreign)
    #expect(try source.pageImage() == backup.image)
    try source.close()
    try work.remove()
    #expect(!FileManager.default.fileExists(atPath: work.folder.path))
    #expect(try Data(contentsOf: URL(filePath: sample.store)) == bytes)
    try backup.verify()
  }
}
