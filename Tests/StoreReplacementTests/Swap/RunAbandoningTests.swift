import CoreDataStore
import Foundation
import StoreReplacement
import StoreTestSupport
import TestSupport
import Testing

@Suite("Giving up a run", .temporaryFolder) struct RunAbandoningTests {
  @Test("where there is no run nothing is made") func none() throws {
    let folder = try WorkFolder(store: StoreSample.make())
    let (run, outcome, _) = try RunAbandoning.abandon(folder)
    #expect(run == nil)
    #expect(outcome == .none)
    #expect(!FileManager.default.fileExists(atPath: folder.work))
  }

  @Test("a run that is over only leaves files, and its backup stays") func over() throws {
    let sample = try SwapSample()
    let backup = try #require(try sample.swap().backup)
    #expect(try RunAbandoning.abandon(sample.folder).outcome == .over)
    #expect(try sample.content() == "new")
    #expect(!FileManager.default.fileExists(atPath: sample.folder.path))
    try StoreBackup.read(backup).verify()
  }

  @Test("a run whose store is gone is given up") func gone() throws {
    let sample = try SwapSample()
    try FileManager.default.removeItem(atPath: sample.store)
    #expect(try RunAbandoning.abandon(sample.folder).outcome == .abandoned)
    #expect(!FileManager.default.fileExists(atPath: sample.folder.path))
  }

  @Test("objects that were rejected, and what else is in the work folder, stay")
  func rejects() throws {
    let sample = try SwapSample()
    try Data("kept".utf8).write(to: URL(filePath: sample.folder.rejectsPath))
    _ = try RunAbandoning.abandon(sample.folder)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: sample.folder.work) == [
        "rejects.sqlite"
      ])
    #expect(try sample.content() == "old")
  }
}
