import CoreDataStore
import Foundation
import StoreReplacement
import TestSupport
import Testing

@Suite("Folders that go with the run", .temporaryFolder)
struct TemporaryWorkFolderTests {
  private var store: String {
    get throws {
      let url = TemporaryFolder.url.appending(path: "A.sqlite")
      try Data("x".utf8).write(to: url)
      return url.path
    }
  }

  @Test("it is made for one run where it is asked for, and goes with all that is in it")
  func removed() throws {
    let parent = TemporaryFolder.url.appending(path: "work").path
    try FileManager.default.createDirectory(
      atPath: parent, withIntermediateDirectories: false)
    var place: TemporaryWorkFolder? = try TemporaryWorkFolder(store: store, in: parent)
    let folder = try #require(place?.folder)
    #expect(folder.work.hasPrefix(parent + "/pipeline-dry-"))
    try folder.make()
    try Data("y".utf8).write(to: URL(filePath: folder.sourcePath))
    place = nil
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent) == [])
  }

  @Test("without a place it is where the system has such files, another one each time")
  func system() throws {
    let store = try store
    let (first, second) = (
      try TemporaryWorkFolder(store: store), try TemporaryWorkFolder(store: store)
    )
    let system = FileManager.default.temporaryDirectory.standardizedFileURL.path
    #expect(first.folder.work.hasPrefix(system))
    #expect(first.folder.work != second.folder.work)
  }

  @Test("there is none for a store that is not there") func missing() {
    #expect(throws: Failure.self) { try TemporaryWorkFolder(store: "/nowhere/A.sqlite") }
  }
}
