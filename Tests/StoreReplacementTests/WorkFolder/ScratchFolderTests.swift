import CoreDataStore
import Foundation
import StoreReplacement
import Testing

@Suite("Folders for work that nobody keeps") struct ScratchFolderTests {
  private struct Stop: Error {}

  @Test("it is empty, its owner's alone, and gone with all that is in it")
  func life() throws {
    let path = try ScratchFolder.with { folder in
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions]
      #expect(mode as? Int == 0o700)
      try FileManager.default.createDirectory(
        atPath: folder + "/a/b", withIntermediateDirectories: true)
      try Data("x".utf8).write(to: URL(filePath: folder + "/a/b/c"))
      return folder
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("it goes when the work fails, too")
  func failure() async throws {
    var path = ""
    await #expect(throws: Stop.self) {
      try await ScratchFolder.with { folder async throws in
        path = folder
        throw Stop()
      }
    }
    #expect(!path.isEmpty && !FileManager.default.fileExists(atPath: path))
  }
}
