import CoreDataStore
import Foundation
import TestSupport
import Testing

@Suite("The run's folder", .temporaryFolder) struct RunFolderTests {
  @Test("it lies beside the real store, for its owner alone")
  func places() throws {
    let store = try StoreFiles(StoreSample.make("real.sqlite")).path
    let link = samplePath("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
    let folder = try RunFolder(store: link)
    #expect(folder.path == store + ".pipeline/run")
    try folder.make()
    try folder.make()
    for path in [folder.work, folder.path] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o700)
    }
    #expect(try RunFolder(store: link, work: samplePath("other/")).path == samplePath("other/run"))
  }

  @Test("a store that is not there has none")
  func missing() {
    #expect(throws: StoreError.self) { _ = try RunFolder(store: samplePath("none.sqlite")) }
  }

  @Test("abandoning a run leaves backups and rejected objects")
  func remove() throws {
    let folder = try RunFolder(store: StoreSample.make())
    try folder.make()
    try FileManager.default.createDirectory(
      atPath: folder.backups, withIntermediateDirectories: true)
    for path in [folder.statePath, folder.rejectsPath] {
      try Data("x".utf8).write(to: URL(filePath: path))
    }
    try folder.removeRun()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.work).sorted() == [
        "backups", "rejects.sqlite",
      ])
    try folder.removeRun()
  }

  @Test("a link in the place of the work folder is not followed")
  func link() throws {
    let folder = try RunFolder(store: StoreSample.make())
    let elsewhere = samplePath("elsewhere")
    try FileManager.default.createDirectory(
      atPath: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.work, withDestinationPath: elsewhere)
    #expect(throws: StoreError.self) { try folder.make() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
  }
}
