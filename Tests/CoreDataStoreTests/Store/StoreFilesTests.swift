import CoreDataStore
import Foundation
import TestSupport
import Testing

@Suite("The files of a store", .temporaryFolder) struct StoreFilesTests {
  @Test(
    "external data lies in a hidden folder named after the store without its extension",
    arguments: [
      ("default.store", ".default_SUPPORT"), ("a.b.sqlite", ".a.b_SUPPORT"),
      ("bare", ".bare_SUPPORT"),
    ])
  func supportFolder(name: String, folder: String) throws {
    try Data().write(to: URL(filePath: samplePath(name)))
    let files = try StoreFiles(samplePath(name))
    #expect(files.name == name)
    #expect(files.supportFolder == "\(files.folder)/\(folder)")
    #expect(files.externalDataFolder == "\(files.folder)/\(folder)/_EXTERNAL_DATA")
  }

  @Test("what lies next to the store is measured, and other names are counted")
  func besides() throws {
    let path = samplePath("a")
    for (suffix, count) in [("", 3), ("-wal", 2), ("-shm", 1), ("-journal", 0)] {
      try Data(count: count).write(to: URL(filePath: path + suffix))
    }
    try FileManager.default.linkItem(atPath: path, toPath: samplePath("b"))
    let files = try StoreFiles(path)
    #expect(files.bytes == 3 && files.walBytes == 2)
    #expect(files.sharedMemoryBytes == 1 && files.journalBytes == 0)
    #expect(files.otherNames == 1)
    #expect(files.isFolderWritable)
  }

  @Test("a store that is missing is answered with a near one, but not among very many files")
  func near() throws {
    let header = Data("SQLite format 3\0".utf8) + Data(count: 84)
    try header.write(to: URL(filePath: samplePath("Notes.sqlite")))
    func answer() -> String {
      do { return "\(try StoreFiles(samplePath("Note.sqlite")).bytes)" } catch { return "\(error)" }
    }
    #expect(answer().hasSuffix("Did you mean \(samplePath("Notes.sqlite"))?"))
    // Each of them would be opened, and for each store of a fleet that is missing.
    for number in 0..<200 { try Data().write(to: URL(filePath: samplePath("\(number)"))) }
    #expect(answer().hasSuffix("Check the path."))
  }
}
